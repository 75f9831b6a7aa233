import type { StoredSession } from './storedSession.ts'

type Excess = Pick<
  StoredSession,
  'amountExpected' | 'amountSettled' | 'amountCredited' | 'amountHeld' | 'heldUntil'
>

const dayMs = 24 * 3_600_000

/**
 * The amount above which money that came in time is an excess: what the business keeps, and what went back to
 * the customer, because refunds take the excess first. The business keeps the requested amount, or more where
 * it accepted an earlier excess or its period was over.
 * @param refunded base units that went back, or go back, in the session's token on its chain
 */
export function excessAbove(
  { amountExpected, amountCredited }: Pick<Excess, 'amountExpected' | 'amountCredited'>,
  refunded: bigint,
): bigint {
  const credited = BigInt(amountCredited ?? 0)
  const expected = BigInt(amountExpected)
  return (credited > expected ? credited : expected) + refunded
}

/**
 * Until when an excess stays `pending`: so many days from the last money that came.
 * @param before the session as last settled
 * @param now what is settled now
 */
export function heldUntil(
  before: Pick<Excess, 'amountSettled' | 'heldUntil'>,
  now: { amountSettled: bigint; excess: bigint },
  days: number,
): Date | null {
  if (now.excess === 0n) return null
  const hasMore = now.amountSettled > BigInt(before.amountSettled)
  return before.heldUntil !== null && !hasMore ? before.heldUntil : new Date(Date.now() + days * dayMs)
}

/**
 * The excess becomes the business's. The session has to be settled afterwards, which moves it to `available`.
 * It is priced when it is paid out: the session's rate is for the requested amount.
 * @param refunded as of `excessAbove`: not the business's, so that it is not counted twice
 */
export function creditExcess(session: Excess, refunded: bigint): void {
  const kept = BigInt(session.amountSettled) - refunded
  if (kept > BigInt(session.amountCredited ?? 0)) session.amountCredited = kept.toString()
}
