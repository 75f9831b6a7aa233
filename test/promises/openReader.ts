import type { BlockReader } from '../../src/chains/chain.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { connectChain } from '../../src/chains/connect.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'

/**
 * Our reader of a chain through its public interface, connected to these nodes only.
 * @param horizonUrl Stellar only @param readBytes false: all answers are parsed
 */
export async function openReader(
  chain: 'solana' | 'tron' | 'stellar',
  url: string,
  horizonUrl?: string,
  readBytes = true,
): Promise<{ reader: BlockReader; close(): Promise<void> }> {
  const { chains, mistakes } = configuredChains({
    [`${chain.toUpperCase()}_RPC_URLS`]: url,
    ...(horizonUrl ? { STELLAR_HORIZON_URLS: horizonUrl } : {}),
  })
  const [configured] = chains
  if (!configured || mistakes.length > 0) throw new Error(`${chain} is not configured: ${mistakes}`)
  const observe = { called: () => {}, refused: () => {} }
  const connection = await connectChain(configured, {
    timeoutMs: 10_000,
    observe,
    readBytes,
    log: createLog('test', 'silent'),
  })
  await connection.reader.verify()
  return { reader: connection.reader, close: () => connection.close() }
}
