import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'

/** What a node says of a transaction, and of the ledgers that it says it of. */
export interface TransactionStatus {
  /** Null where it is in none of the ledgers that the node keeps. */
  included: { ledger: number; succeeded: boolean; resultXdr: string | undefined } | null
  /** The newest ledger that the node has, and when it and the oldest that it keeps closed, in unix seconds. */
  latestLedger: number
  latestCloseTime: number
  oldestCloseTime: number
}

/** Stellar docs, "getTransaction". Times are whole numbers in text there. */
export async function transactionStatus(rpc: JsonRpc, txId: string): Promise<TransactionStatus> {
  const answered = ((await rpc.call('getTransaction', { hash: txId })) ?? {}) as {
    status?: string
    ledger?: number
    resultXdr?: string
    latestLedger?: number
    latestLedgerCloseTime?: string | number
    oldestLedgerCloseTime?: string | number
  }
  const { status, ledger, resultXdr } = answered
  const latestLedger = Number(answered.latestLedger)
  const [latestCloseTime, oldestCloseTime] = [Number(answered.latestLedgerCloseTime), Number(answered.oldestLedgerCloseTime)]
  const known = { latestLedger, latestCloseTime, oldestCloseTime }
  if (!Object.values(known).every((each) => Number.isSafeInteger(each) && each > 0))
    throw new ProviderError(`${rpc.name} does not say which ledgers it has`)
  if (status === 'NOT_FOUND') return { ...known, included: null }
  if ((status !== 'SUCCESS' && status !== 'FAILED') || !ledger) throw new ProviderError(`${rpc.name} says nothing of a transaction`)
  return { ...known, included: { ledger, succeeded: status === 'SUCCESS', resultXdr } }
}
