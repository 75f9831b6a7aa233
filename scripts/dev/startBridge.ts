import { cctpDomains, cctpEnv, hasRoute, startCctp } from '../../test/devnets/cctp.ts'
import type { EvmDevnet } from '../../test/devnets/evm.ts'
import { forwardMints } from '../../test/devnets/forwardMints.ts'
import type { SolanaDevnet } from '../../test/devnets/solana.ts'
import { solanaPeer, startSolanaCctp } from '../../test/devnets/solanaCctp.ts'
import { startCircle } from '../../test/partners/circle.ts'
import type { DevDevnet } from './devnets.ts'

/**
 * Puts Circle's contracts on the EVM devnets and its programs on Solana's, and starts a stand-in for its
 * attestation service.
 * @returns the settings that lead to both; nothing where the operator has named a service
 */
export async function startBridge(
  devnets: readonly DevDevnet[],
  port: number,
): Promise<{ env: Record<string, string>; close(): Promise<unknown> }> {
  const bridged = devnets.filter(
    ({ chain, published }) => hasRoute(chain) && typeof published.chainId === 'number',
  )
  if (process.env.CIRCLE_URL || bridged.length === 0) return { env: {}, close: async () => {} }
  const evm = bridged.map(({ service }) => service as EvmDevnet)
  const solana = devnets.find(({ chain }) => chain === 'solana')
  const ofSolana = solana ? await startSolanaCctp(solana.service as SolanaDevnet, evm) : {}
  await startCctp(evm, solana ? [solanaPeer(solana.service as SolanaDevnet)] : [])
  const chains = bridged.flatMap(({ chain, published: { rpcUrl } }) =>
    hasRoute(chain) ? [{ domain: cctpDomains[chain], rpcUrl }] : [],
  )
  const circle = await startCircle(
    [...chains, ...(solana ? [{ domain: cctpDomains.solana, rpcUrl: solana.published.rpcUrl }] : [])],
    port,
  )
  circle.forward = forwardMints(evm)
  const contracts: Record<string, string>[] = bridged.map(({ chain }) => cctpEnv(chain))
  // A devnet's blocks are a second: seconds pass in place of half an hour. The stand-in does not mint on
  // Solana by itself.
  const env = {
    CIRCLE_URL: circle.url,
    BRIDGE_FIRST_QUESTION_SECONDS: '2',
    BRIDGE_POLL_SECONDS: '2',
    BRIDGE_FORWARD_SECONDS: '20',
  }
  return { env: Object.assign({}, env, ofSolana, ...contracts), close: () => circle.close() }
}
