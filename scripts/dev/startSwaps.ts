import { type SwapDevnet, type SwapKeys, startSwapPartners } from '../../test/partners/swapPartners.ts'
import type { DevDevnet } from './devnets.ts'

/**
 * Starts the stand-ins of the swap providers.
 * @returns the settings that lead to them; those of a provider that the operator has a key of are left out
 */
export async function startSwaps(
  devnets: readonly DevDevnet[],
  keys: SwapKeys,
  ports: { zeroX: number; jupiter: number },
): Promise<{ env: Record<string, string>; close(): Promise<unknown> }> {
  const { zeroX, jupiter } = await startSwapPartners(keys, devnets.flatMap(swapDevnet), ports)
  const zeroXEnv = { ZEROX_URL: zeroX.url, ZEROX_API_KEY: keys.zeroX }
  const jupiterEnv = { JUPITER_URL: jupiter.url, JUPITER_API_KEY: keys.jupiter }
  return {
    env: { ...(!process.env.ZEROX_API_KEY && zeroXEnv), ...(!process.env.JUPITER_API_KEY && jupiterEnv) },
    close: () => Promise.all([zeroX.close(), jupiter.close()]),
  }
}

function swapDevnet({
  chain,
  published: { chainId, usdc, usdt, decimals, market },
}: DevDevnet): SwapDevnet[] {
  const stablecoins = [usdc, usdt]
  if (typeof chainId === 'number') return [{ chainId, stablecoins, decimals, ...(market && { market }) }]
  return chain === 'solana' ? [{ chainId: null, stablecoins, decimals }] : []
}
