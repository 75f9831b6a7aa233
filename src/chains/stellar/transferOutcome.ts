import { forgotten, type ReportedHeights } from '../agreeOutcome.ts'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Outcome, SentTransaction } from '../sending.ts'
import { unmuxed } from './address.ts'
import { accountKey, accountState, ledgerEntries } from './ledgerEntries.ts'
import { lifetimeSeconds } from './planTransfer.ts'
import { readResult } from './resultCodes.ts'
import { rpcSource } from './rpcSource.ts'
import { type TransactionStatus, transactionStatus } from './transactionStatus.ts'

type Gone = Extract<Outcome, { status: 'gone' }>['reason']

/**
 * What became of transactions, as one node says. The account is read before them: a sequence that was used by then was used in a ledger that
 * the later answers speak of too, or they say nothing.
 */
export async function outcomeAt(rpc: JsonRpc, from: string, transactions: readonly SentTransaction[]): Promise<ReportedHeights> {
  const { account } = unmuxed(from)
  const state = await ledgerEntries(rpc, [accountKey(account)])
  const used = accountState(state, account)?.sequence ?? null
  const reasons: (Gone | null)[] = []
  let head = state.ledger
  let forgets = false
  for (const transaction of transactions) {
    const status = await transactionStatus(rpc, transaction.txId)
    head = Math.max(head, status.latestLedger)
    forgets ||= !keeps(transaction, status)
    if (status.included) return { head, outcome: await includedAs(rpc, transaction.txId, status.included) }
    reasons.push(goneBy(transaction, status, { used, isCovered: status.latestLedger >= state.ledger }))
  }
  if (forgets) return forgotten
  if (reasons.length === 0 || reasons.includes(null)) return { head, outcome: { status: 'absent' } }
  return { head, outcome: { status: 'gone', reason: reasons.includes('sequence_used') ? 'sequence_used' : 'expired', standing: 'final' } }
}

/**
 * Why a transaction that is in none of a node's ledgers can come into none; null where it can, or where a ledger that the node has forgotten may
 * hold it.
 * @param account the sequence that the sender's account has come to, null: unknown; and whether the node looked into all ledgers up to there
 */
function goneBy(transaction: SentTransaction, status: TransactionStatus, account: { used: bigint | null; isCovered: boolean }): Gone | null {
  const { sequence } = transaction
  const end = endOf(transaction)
  if (end === null || !keeps(transaction, status)) return null
  const isOver = status.latestCloseTime > end
  // Also where the time is over: the other transaction may be the same payment at a higher fee.
  const isUsed = sequence !== null && account.used !== null && account.used >= sequence && (isOver || account.isCovered)
  return isUsed ? 'sequence_used' : isOver ? 'expired' : null
}

/** The last second of a transaction's life. */
const endOf = ({ expiry }: SentTransaction): number | null => (expiry && 'time' in expiry ? Math.floor(expiry.time.getTime() / 1000) : null)

/** Whether a node still has every ledger that the transaction could be in. */
const keeps = (transaction: SentTransaction, { oldestCloseTime }: TransactionStatus): boolean =>
  oldestCloseTime <= (endOf(transaction) ?? 0) - lifetimeSeconds

/** A ledger that closed never changes: whatever is in one is final. */
async function includedAs(
  rpc: JsonRpc,
  txId: string,
  { ledger, succeeded, resultXdr }: NonNullable<TransactionStatus['included']>,
): Promise<Outcome> {
  const result = readResult(resultXdr)
  if (result.succeeded !== succeeded) throw new ProviderError(`${rpc.name}: status and result of a transaction disagree`)
  const header = await rpcSource(rpc).header(ledger)
  if (!header) throw new ProviderError(`${rpc.name} does not have the ledger that it told of`)
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
