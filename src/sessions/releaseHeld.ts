import { type Entry, tokenAsset } from '../ledger/entry.ts'
import type { Tx } from '../platform/database/db.ts'
import { excessAbove } from './excess.ts'
import { readPaymentsOf } from './readPayments.ts'
import { givenBack, readRefundsOf } from './readRefunds.ts'
import { byTime } from './settle.ts'
import type { StoredSession } from './storedSession.ts'

/** What a refund takes of a held excess. */
export interface ReleasedExcess {
  amount: bigint
  /**
   * Their money is `available` then, for the entry that holds it for the refund. Post them before it, in one
   * call.
   */
  entries: Entry[]
}

/**
 * Takes a refund's part of a held excess out of `pending`: the excess first, the money that came earliest
 * first, as the next settlement would divide it. The session is locked, and the refund is not stored yet.
 * @param amount of the refund, in the session's token on its chain
 */
export async function releaseHeld(tx: Tx, session: StoredSession, amount: bigint): Promise<ReleasedExcess> {
  const { id, businessId, chain, token } = session
  const refunded = givenBack(session, await readRefundsOf(tx, id)) + amount
  const above = BigInt(session.amountSettled) - excessAbove(session, refunded)
  const stays = above > 0n ? above : 0n
  let left = BigInt(session.amountHeld) - stays
  const released = { amount: left > 0n ? left : 0n, entries: [] as Entry[] }
  if (released.amount === 0n) return released
  const asset = tokenAsset(chain, token)
  for (const payment of (await readPaymentsOf(tx, id)).toSorted(byTime)) {
    const held = payment.last?.held ?? 0n
    const part = held < left ? held : left
    if (part <= 0n) continue
    left -= part
    released.entries.push({
      kind: 'deposit.credited',
      businessId,
      cause: { kind: 'session_payment', id: payment.detectionId },
      step: payment.entries + 1,
      postings: [
        { account: { name: 'pending', businessId, asset }, amount: part },
        { account: { name: 'available', businessId, asset }, amount: -part },
      ],
    })
    tx.send(
      'update session_payments set held = held - $3, entries = entries + 1 where detection_id = $1 and session_id = $2',
      [payment.detectionId, id, part.toString()],
    )
  }
  tx.send(
    'update pos_sessions set amount_held = $3, held_until = case when $3::numeric > 0 then held_until end where id = $1 and business_id = $2',
    [id, businessId, stays.toString()],
  )
  return released
}
