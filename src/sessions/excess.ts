import type { StoredSession } from './storedSession.ts'

type Excess = Pick<StoredSession, 'amountExpected' | 'amountSettled' | 'amountCredited' | 'amountHeld' | 'heldUntil'>

const dayMs = 24 * 3_600_000

/**
 * The amount above which money that came in time is an excess: what was asked for, what the business got of an earlier excess, because it accepted that or
 * the period was over, and what went back to the customer: refunds take the excess first.
 * @param refunded base units that went back, or go back, in the session's token on its chain
 */
export function excessAbove({ amountExpected, amountCredited }: Pick<Excess, 'amountExpected' | 'amountCredited'>, refunded: bigint): bigint {
  const credited = BigInt(amountCredited ?? 0)
  const given = BigInt(amountExpected) + refunded
  return credited > given ? credited : given
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
 * The excess becomes the business's. The session has to be settled afterwards, which moves it to `available`. It is priced when it is paid out: the session's rate is for what was asked for.
 */
export function creditExcess(session: Excess): void {
  const { amountCredited, amountSettled } = session
  session.amountCredited = BigInt(amountCredited ?? 0) > BigInt(amountSettled) ? amountCredited : amountSettled
}
