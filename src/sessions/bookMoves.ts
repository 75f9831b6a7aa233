import type { Account } from '../ledger/account.ts'
import { type Entry, tokenAsset } from '../ledger/entry.ts'
import { rebook } from '../ledger/rebook.ts'
import type { Tx } from '../platform/db.ts'
import type { PaymentRecord } from './readPayments.ts'
import type { Bucket, Settled } from './settle.ts'

const kinds: Record<Bucket, string> = { none: 'deposit.reverted', pending: 'deposit.pending', available: 'deposit.credited' }

/**
 * An entry for each payment that moves, or whose amount a fork changed; the caller posts them, with its own. The entry takes the step after the payment's last one: a second worker
 * that read the same state takes the same step, and the database refuses it.
 * @returns the entries, each of which names its payment as the cause
 */
export async function entriesOfMoves(tx: Tx, businessId: string, settled: Pick<Settled, 'moves' | 'recounted'>): Promise<Entry[]> {
  const moves = [
    ...settled.moves,
    ...settled.recounted.map((payment) => ({ payment, from: payment.last?.posted ?? 'none', to: payment.last?.posted ?? 'none' })),
  ]
  const entries = await Promise.all(moves.map(({ payment, from, to }) => entryOf(tx, businessId, payment as PaymentRecord, from, to)))
  return entries.filter((entry) => entry !== null)
}

/** From the old account, with the amount posted then, to the new one. */
async function entryOf(tx: Tx, businessId: string, payment: PaymentRecord, from: Bucket, to: Bucket): Promise<Entry | null> {
  const asset = tokenAsset(payment.chain, payment.token)
  const entry = {
    kind: from === to ? 'deposit.corrected' : kinds[to],
    businessId,
    cause: { kind: 'session_payment', id: payment.detectionId } as const,
    step: payment.entries + 1,
  }
  const wanted = to === 'none' ? null : { account: { name: to, businessId, asset } as const, amount: payment.amount }
  const deposits = (of: string): Account => ({ name: `deposits:${payment.chain}`, businessId: null, asset: of })
  if (from !== 'none') return await rebook(tx, entry, wanted, deposits)
  if (!wanted) return null
  return {
    ...entry,
    postings: [
      { account: deposits(asset), amount: payment.amount },
      { ...wanted, amount: -payment.amount },
    ],
  }
}
