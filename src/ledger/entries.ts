import { type Account, platformAccount } from './account.ts'
import type { Cause, Entry, Posting } from './entry.ts'

/**
 * Entries with two accounts for each asset. Each is a function of its own, so that an entry of one kind
 * always has the same accounts.
 */

interface Of {
  cause: Cause
  step: number
}

interface Amount {
  asset: string
  /** Base units. */
  amount: bigint
}

/** Two postings: a debit of one account and a credit of the other. */
const lines = (debit: Account, credit: Account, amount: bigint): Posting[] => [
  { account: debit, amount },
  { account: credit, amount: -amount },
]

/**
 * A business gives one asset for another, out of the platform's float. The platform's position takes the
 * other side of both.
 * @param rounding of the asset that the business gets: what it would have got beyond a whole unit stays with
 * the platform, by name
 */
export const exchanged = ({
  cause,
  step,
  businessId,
  gives,
  gets,
}: Of & { businessId: string; gives: Amount; gets: Amount & { rounding?: bigint } }): Entry => ({
  kind: 'exchange',
  businessId,
  cause,
  step,
  postings: [
    ...lines(
      { name: 'available', businessId, asset: gives.asset },
      platformAccount('exchange', gives.asset),
      gives.amount,
    ),
    ...lines(
      platformAccount('exchange', gets.asset),
      { name: 'available', businessId, asset: gets.asset },
      gets.amount,
    ),
    ...(gets.rounding
      ? lines(platformAccount('exchange', gets.asset), platformAccount('rounding', gets.asset), gets.rounding)
      : []),
  ],
})

/** What a business loses of its stake. */
export const penalised = ({
  cause,
  step,
  businessId,
  asset,
  amount,
}: Of & Amount & { businessId: string }): Entry => ({
  kind: 'penalty',
  businessId,
  cause,
  step,
  postings: lines({ name: 'stakes', businessId, asset }, platformAccount('penalties', asset), amount),
})

/**
 * A correction by operators, between any two accounts of one asset. A business is not made to owe: what
 * `available` lacks is refused.
 */
export const adjusted = ({
  cause,
  step,
  debit,
  credit,
  amount,
}: Of & { debit: Account; credit: Account; amount: bigint }): Entry => ({
  kind: 'adjustment',
  businessId: debit.businessId ?? credit.businessId,
  cause,
  step,
  postings: lines(debit, credit, amount),
})
