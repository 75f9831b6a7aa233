import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'

/** A node's answer about a transaction, and the range of ledgers that it searched. */
export interface TransactionStatus {
  /** Null if it is in no ledger that the node keeps. */
  included: { ledger: number; succeeded: boolean; resultXdr: string | undefined } | null
  /**
   * The newest ledger of the node, and the close times of it and of the oldest kept ledger, in Unix seconds.
   */
  latestLedger: number
  latestCloseTime: number
  oldestCloseTime: number
}

/** Stellar docs, "getTransaction". Times are integers as strings. */
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
  const [latestCloseTime, oldestCloseTime] = [
    Number(answered.latestLedgerCloseTime),
    Number(answered.oldestLedgerCloseTime),
  ]
  const known = { latestLedger, latestCloseTime, oldestCloseTime }
  if (!Object.values(known).every((each) => Number.isSafeInteger(each) && each > 0))
    throw new ProviderError(`${rpc.name} does not report which ledgers it has`)
  if (status === 'NOT_FOUND') return { ...known, included: null }
  if ((status !== 'SUCCESS' && status !== 'FAILED') || !ledger)
    throw new ProviderError(`${rpc.name} returned no valid transaction status`)
  return { ...known, included: { ledger, succeeded: status === 'SUCCESS', resultXdr } }
}
