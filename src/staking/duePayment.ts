import { isReplaceable, type Part, type Payment, parts } from './payments.ts'
import { netOf, type Stake } from './storedStake.ts'

/** What a stake is to be paid now. */
export interface DuePayment extends Record<Part, bigint> {
  /** Intents of signed payments that it is made in place of. */
  replaces: string[]
}

/**
 * A payment that was never signed, such as for a lack of coin, is made again after so long; after twice as
 * long each time that it fails again.
 */
const unsignedRetryMs = 10 * 60_000
const maxUnsignedRetryMs = 2 * 3_600_000
const unsignedRetryAfter = (failures: number): number =>
  Math.min(unsignedRetryMs * 2 ** (failures - 1), maxUnsignedRetryMs)

/**
 * Base units that the stake owes of each part. Rewards are due once the account of rewards has paid for them.
 */
const wholeOf = (stake: Owed): Record<Part, bigint> => ({
  principal: netOf(stake),
  rewards: stake.rewardsBooked ? (stake.rewards ?? 0n) : 0n,
})
type Owed = Pick<Stake, 'amount' | 'penalty' | 'rewards' | 'rewardsBooked'>

const hasFailed = ({ status }: Payment): boolean => status === 'failed' || status === 'expired'

/**
 * A part is owed, and all of its payments have failed: the last payment alone does not show it, since each
 * part may have one of its own.
 */
export function isUnpaid(stake: Owed, payments: readonly Payment[]): boolean {
  const whole = wholeOf(stake)
  return parts.some((part) => whole[part] > 0n && payments.filter((each) => each[part] > 0n).every(hasFailed))
}

/** A part was signed as often as the treasury signs it, and has failed: only the operator can go on. */
export function isLeftToOperator(stake: Owed, payments: readonly Payment[]): boolean {
  const whole = wholeOf(stake)
  const isExhausted = (made: readonly Payment[]) =>
    made.every(hasFailed) && !isReplaceable(made.filter(({ isSigned }) => isSigned))
  return parts.some((part) => whole[part] > 0n && isExhausted(payments.filter((each) => each[part] > 0n)))
}

/**
 * What no payment was made for yet, or only payments that can never be mined.
 * @param gone signed payments that the chain can never include
 */
export function duePayment(stake: Owed, payments: readonly Payment[], gone: ReadonlySet<string>): DuePayment {
  const whole = wholeOf(stake)
  const due: DuePayment = { principal: 0n, rewards: 0n, replaces: [] }
  const replaced = new Set<string>()
  for (const part of parts) {
    const made = payments.filter((each) => each[part] > 0n)
    const signed = made.filter(({ isSigned }) => isSigned)
    const retryMs = unsignedRetryAfter(made.length - signed.length)
    const isOver = made.every(
      (each) => each.isDead && (each.isSigned ? gone.has(each.intentId) : each.ageMs >= retryMs),
    )
    if (!isOver || !isReplaceable(signed) || whole[part] === 0n) continue
    due[part] = whole[part]
    for (const { intentId } of signed) replaced.add(intentId)
  }
  return { ...due, replaces: [...replaced] }
}
