import type { Account } from '../ledger/account.ts'
import { type Entry, tokenAsset } from '../ledger/entry.ts'
import { rebook } from '../ledger/rebook.ts'
import type { Tx } from '../platform/database/db.ts'
import type { PaymentRecord } from './readPayments.ts'
import type { Bucket, Move, Settled } from './settle.ts'

const kinds: Record<Bucket, string> = {
  none: 'deposit.reverted',
  pending: 'deposit.pending',
  available: 'deposit.credited',
}

/**
 * Books the credit of a session's payments: an entry for each payment that moves, or whose amount a fork (a reorg)
 * changed. Credit that the chain reversed is taken back. The caller posts the entries, with its own.
 * The entry takes the step after the payment's last one: a second worker that read the same state takes the
 * same step, and the database refuses it.
 * @returns the entries, each of which names its payment as the cause
 */
export async function entriesOfMoves(
  tx: Tx,
  businessId: string,
  settled: Pick<Settled, 'moves' | 'recounted'>,
): Promise<Entry[]> {
  const moves = [
    ...settled.moves,
    ...settled.recounted.map((payment): Move => {
      const { posted, held } = payment.last ?? { posted: 'none', held: 0n }
      return { payment, from: posted, to: posted, held }
    }),
  ]
  const entries = await Promise.all(moves.map((move) => entryOf(tx, businessId, move)))
  return entries.filter((entry) => entry !== null)
}

/** An excess that is held moves between the accounts of a payment that stays. */
function kindOf({ payment, from, to, held }: Move): string {
  const before = payment.last?.held ?? 0n
  if (from !== to || held < before) return kinds[to]
  return held > before ? kinds.pending : 'deposit.corrected'
}

/** From the old account, with the amount posted then, to the new one; what is held of it to `pending`. */
async function entryOf(tx: Tx, businessId: string, move: Move): Promise<Entry | null> {
  const { from, to, held } = move
  const payment = move.payment as PaymentRecord
  const asset = tokenAsset(payment.chain, payment.token)
  const entry = {
    kind: kindOf(move),
    businessId,
    cause: { kind: 'session_payment', id: payment.detectionId } as const,
    step: payment.entries + 1,
  }
  const wanted = to === 'none' ? [] : partsOf(payment, businessId, asset, to, held)
  const deposits = (of: string): Account => ({
    name: `deposits:${payment.chain}`,
    businessId: null,
    asset: of,
  })
  if (from !== 'none') return await rebook(tx, entry, wanted, deposits)
  if (wanted.length === 0) return null
  return {
    ...entry,
    postings: [
      { account: deposits(asset), amount: payment.amount },
      ...wanted.map(({ account, amount }) => ({ account, amount: -amount })),
    ],
  }
}

function partsOf(
  { amount }: PaymentRecord,
  businessId: string,
  asset: string,
  to: 'pending' | 'available',
  held: bigint,
) {
  const part = (name: 'pending' | 'available', of: bigint) =>
    of > 0n ? [{ account: { name, businessId, asset } as const, amount: of }] : []
  return [...part(to, amount - held), ...part('pending', held)]
}
