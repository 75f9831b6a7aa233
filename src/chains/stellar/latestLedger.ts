import { xdr } from '@stellar/stellar-sdk/base'
import { ProviderError } from '../chain.ts'
import { requirePlausibleTime } from '../plausibleTime.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import { sound } from '../providers/sound.ts'

/** Network values that new transactions depend on. */
export interface LedgerRules {
  /** Unix seconds: the network's own clock. */
  closeTime: number
  /** Stroops. */
  baseReserve: bigint
}

/** Of a node's newest ledger. */
export async function latestLedger(rpc: JsonRpc): Promise<LedgerRules> {
  const { sequence, headerXdr } = ((await rpc.call('getLatestLedger', {})) ?? {}) as {
    sequence?: number
    headerXdr?: string
  }
  if (!sequence) throw new ProviderError(`${rpc.name} has no newest ledger`)
  // Older RPC versions return the newest ledger without its header.
  const bytes = headerXdr ?? (await headerXdrOf(rpc, sequence))
  return sound(() => {
    const { scpValue, baseReserve } = readHeader(Buffer.from(bytes, 'base64'))
    return { closeTime: Number(scpValue.closeTime), baseReserve: BigInt(baseReserve) }
  })
}

/** Refuses a close time that other nodes contradict: transactions expire by it. @throws ProviderError */
export const requireCloseTime = (
  providers: Providers<JsonRpc>,
  rpc: JsonRpc,
  { closeTime }: LedgerRules,
): Promise<void> =>
  requirePlausibleTime(
    providers,
    rpc,
    closeTime * 1000,
    async (other) => (await latestLedger(other)).closeTime * 1000,
  )

async function headerXdrOf(rpc: JsonRpc, sequence: number): Promise<string> {
  const answered = (await rpc.call('getLedgers', { startLedger: sequence, pagination: { limit: 1 } })) as {
    ledgers?: { headerXdr?: string }[]
  } | null
  const found = answered?.ledgers?.[0]?.headerXdr
  if (!found) throw new ProviderError(`${rpc.name} does not have the newest ledger that it reported`)
  return found
}

/** A history entry (header and hash), or the header alone. */
function readHeader(bytes: Buffer): xdr.LedgerHeader {
  try {
    return xdr.LedgerHeaderHistoryEntry.fromXdr(bytes).header
  } catch {
    return xdr.LedgerHeader.fromXdr(bytes)
  }
}
