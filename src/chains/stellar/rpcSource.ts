import { xdr } from '@stellar/stellar-sdk/base'
import { bytesOf } from '../bytesOf.ts'
import { ProviderError } from '../chain.ts'
import { type JsonRpc, RpcError } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import { headerOf, type LedgerHeader, type LedgerSource, type RawTransaction } from './ledger.ts'

/** The RPC's largest page. */
const pageSize = 200
/** A ledger has a thousand operations or so. */
const maxTransactions = 20_000

interface RpcTransaction {
  txHash: string
  ledger: number
  envelopeXdr: string
  resultXdr: string
  resultMetaXdr?: string
}

interface RpcLedgers {
  ledgers?: { sequence: number; headerXdr: string }[]
}

/** Stellar RPC (Stellar docs, "RPC methods"). It keeps one week of ledgers. */
export function rpcSource(rpc: JsonRpc): LedgerSource {
  const header = async (height: number): Promise<LedgerHeader | null> => {
    const answered = await withinRange(rpc, height, () =>
      rpc.call('getLedgers', { startLedger: height, pagination: { limit: 1 } }),
    )
    if (!answered) return null
    return sound(() => {
      const ledger = (answered as RpcLedgers).ledgers?.find(({ sequence }) => Number(sequence) === height)
      if (!ledger) throw new ProviderError(`${rpc.name} returned no ledger ${height}`)
      return historyHeader(ledger.headerXdr, height)
    })
  }
  return {
    name: rpc.name,
    close: () => rpc.close(),
    async network() {
      const answered = (await rpc.call('getNetwork', {})) as { passphrase?: string } | null
      return answered?.passphrase ?? ''
    },
    async newest() {
      const answered = (await rpc.call('getLatestLedger', {})) as {
        sequence: number
        headerXdr?: string
      } | null
      if (!answered) throw new ProviderError(`${rpc.name} has no newest ledger`)
      const { sequence, headerXdr } = answered
      const found = headerXdr ? sound(() => historyHeader(headerXdr, sequence)) : await header(sequence)
      if (!found) throw new ProviderError(`${rpc.name} does not have the newest ledger that it reported`)
      return found
    },
    header,
    async ledger(height) {
      const [found, transactions] = await Promise.all([header(height), transactionsOf(rpc, height)])
      return found && transactions && { header: found, transactions }
    },
    async transaction(txId) {
      const found = (await rpc.call('getTransaction', { hash: txId })) as
        | (Omit<RpcTransaction, 'txHash'> & { status: string })
        | null
      if (!found || found.status === 'NOT_FOUND') return null
      return { height: found.ledger, transaction: rawOf({ ...found, txHash: txId }) }
    },
  }
}

/** A history entry (header and hash); some RPC versions return the header alone. */
function historyHeader(base64: string, height: number): LedgerHeader {
  const bytes = bytesOf(base64, 'base64')
  let header: xdr.LedgerHeader
  try {
    header = xdr.LedgerHeaderHistoryEntry.fromXDR(bytes).header
  } catch {
    header = xdr.LedgerHeader.fromXDR(bytes)
  }
  return headerOf(header, height)
}

async function transactionsOf(rpc: JsonRpc, height: number): Promise<RawTransaction[] | null> {
  const found: RawTransaction[] = []
  for (let cursor: string | null = null; ; ) {
    const page: unknown = await withinRange(rpc, height, () =>
      rpc.call(
        'getTransactions',
        cursor === null
          ? { startLedger: height, pagination: { limit: pageSize } }
          : { pagination: { cursor, limit: pageSize } },
      ),
    )
    if (!page) return null
    const { transactions = [], cursor: next } = page as { transactions?: RpcTransaction[]; cursor?: string }
    // At the head, a cursor may step back and repeat the last ledger's transactions.
    const known = new Set(found.map(({ hash }) => hash))
    const ours = sound(() =>
      transactions.filter(({ ledger, txHash }) => Number(ledger) === height && !known.has(txHash)).map(rawOf),
    )
    found.push(...ours)
    if (found.length > maxTransactions)
      throw new ProviderError(
        `${rpc.name} returned more than ${maxTransactions} transactions of ledger ${height}`,
      )
    // Later ledgers follow in the same list.
    if (ours.length < pageSize || !next || next === cursor) return found
    cursor = next
  }
}

const rawOf = ({ txHash, envelopeXdr, resultXdr, resultMetaXdr }: RpcTransaction): RawTransaction => ({
  hash: txHash,
  envelopeXdr,
  resultXdr,
  metaXdr: resultMetaXdr ?? null,
})

/**
 * @returns null if the ledger has not closed yet @throws ProviderError if this endpoint no longer keeps it
 */
async function withinRange(rpc: JsonRpc, height: number, ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    // "startLedger must be between the oldest ledger: 5 and the latest ledger: 9 for this rpc instance."
    const [, latest] = (error instanceof RpcError && /latest ledger: (\d+)/.exec(error.message)) || []
    if (latest !== undefined && height > Number(latest)) return null
    if (latest !== undefined) throw new ProviderError(`${rpc.name} no longer keeps ledger ${height}`)
    throw error
  }
}
