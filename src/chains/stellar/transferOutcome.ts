import { ProviderError } from '../chain.ts'
import { prunedAnswer, type ReportedOutcome } from '../providers/agreeOutcome.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Outcome, SentTransaction } from '../sending.ts'
import { unmuxed } from './address.ts'
import { lifetimeSeconds } from './bids.ts'
import { accountKey, accountState, ledgerEntries } from './ledgerEntries.ts'
import { readResult } from './resultCodes.ts'
import { rpcSource } from './rpcSource.ts'
import { type TransactionStatus, transactionStatus } from './transactionStatus.ts'

type UnminableReason = Extract<Outcome, { status: 'unminable' }>['reason']

/**
 * The outcome of transactions by one node. Read the account first: the later transaction answers then cover
 * the ledger that used a sequence, or are ignored.
 */
export async function outcomeAt(
  rpc: JsonRpc,
  from: string,
  transactions: readonly SentTransaction[],
): Promise<ReportedOutcome> {
  const { account } = unmuxed(from)
  const state = await ledgerEntries(rpc, [accountKey(account)])
  const used = accountState(state, account)?.sequence ?? null
  const reasons: (UnminableReason | null)[] = []
  let head = state.ledger
  let isPruned = false
  for (const transaction of transactions) {
    const status = await transactionStatus(rpc, transaction.txId)
    head = Math.max(head, status.latestLedger)
    isPruned ||= !keeps(transaction, status)
    if (status.included) return { head, outcome: await includedAs(rpc, transaction.txId, status.included) }
    reasons.push(
      unminableReason(transaction, status, { used, isCovered: status.latestLedger >= state.ledger }),
    )
  }
  if (isPruned) return prunedAnswer
  if (reasons.length === 0 || reasons.includes(null)) return { head, outcome: { status: 'absent' } }
  return {
    head,
    outcome: {
      status: 'unminable',
      reason: reasons.includes('sequence_used') ? 'sequence_used' : 'expired',
      standing: 'final',
    },
  }
}

/**
 * The reason why a transaction that is in no ledger of a node is unminable; null if it is not, or if a ledger
 * that the node has pruned may hold it.
 * @param account `used`: the account's current sequence (null: unknown); `isCovered`: the node searched all
 * ledgers up to that state
 */
function unminableReason(
  transaction: SentTransaction,
  status: TransactionStatus,
  account: { used: bigint | null; isCovered: boolean },
): UnminableReason | null {
  const { nonce: sequence } = transaction
  const end = endOf(transaction)
  if (end === null || !keeps(transaction, status)) return null
  const isOver = status.latestCloseTime > end
  // Also after expiry: the other transaction may be the same payment at a higher fee.
  const isUsed =
    sequence !== null && account.used !== null && account.used >= sequence && (isOver || account.isCovered)
  if (isUsed) return 'sequence_used'
  return isOver ? 'expired' : null
}

/** The last second in which it can be included. */
const endOf = ({ expiry }: SentTransaction): number | null =>
  expiry && 'time' in expiry ? Math.floor(expiry.time.getTime() / 1000) : null

/** The node still has every ledger that could include the transaction. */
const keeps = (transaction: SentTransaction, { oldestCloseTime }: TransactionStatus): boolean =>
  oldestCloseTime <= (endOf(transaction) ?? 0) - lifetimeSeconds

/** A closed ledger never changes: inclusion is final. */
async function includedAs(
  rpc: JsonRpc,
  txId: string,
  { ledger, succeeded, resultXdr }: NonNullable<TransactionStatus['included']>,
): Promise<Outcome> {
  const result = readResult(resultXdr)
  if (result.succeeded !== succeeded)
    throw new ProviderError(`${rpc.name}: status and result of a transaction disagree`)
  const header = await rpcSource(rpc).header(ledger)
  if (!header) throw new ProviderError(`${rpc.name} does not have the ledger that it reported`)
  return {
    status: 'included',
    txId,
    succeeded,
    reason: succeeded ? null : result.reason,
    blockHeight: ledger,
    blockId: header.id,
    standing: 'final',
    fee: result.fee,
    gasUsed: null,
  }
}
