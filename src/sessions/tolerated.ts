import type { StoredSession } from './storedSession.ts'

type Tolerated = Pick<StoredSession, 'amountExpected' | 'amountTolerated'>

/** Enough for a session to be paid: what it requests, less what its business tolerated when it was made. */
export const minAmountOf = ({ amountExpected, amountTolerated }: Tolerated): bigint =>
  BigInt(amountExpected) - BigInt(amountTolerated)

/** What is missing of a session that is paid within its tolerance; zero of any other. */
export function shortOf(session: Tolerated, isPaid: boolean, amountSettled: bigint): bigint {
  const expected = BigInt(session.amountExpected)
  return isPaid && amountSettled >= minAmountOf(session) && amountSettled < expected
    ? expected - amountSettled
    : 0n
}
