import { type StakeRefusal, StakeRefusedError } from '../../chains/staking.ts'
import { formatUnits } from '../../money/amount.ts'
import { ApiError } from '../../platform/errors.ts'
import { belowMinimum, notActive, refused } from '../errors.ts'

/** The field that names the amount. */
type AmountField = 'amount' | 'amountToUnstake'

/** Seconds until the chain has paid the rewards of an epoch. */
const rewardsRetrySeconds = 60

/** Maps a refusal of the chain's layer to the API's; other errors stay unchanged. */
export function asNativeError(error: unknown, decimals: number, amountField: AmountField): unknown {
  if (!(error instanceof StakeRefusedError)) return error
  const minimum = formatUnits(error.minimum ?? 0n, decimals)
  const at = error.withdrawableAt?.toISOString()
  const answers: Record<StakeRefusal, () => ApiError> = {
    below_minimum: () =>
      amountField === 'amount'
        ? belowMinimum(minimum)
        : refused(
            422,
            'part_below_minimum',
            amountField,
            `must be ${minimum} or more, the minimum of the chain`,
          ),
    rest_below_minimum: () =>
      refused(
        422,
        'rest_below_minimum',
        amountField,
        `leaves less than ${minimum}, the minimum of the chain`,
      ),
    more_than_staked: () =>
      refused(422, 'more_than_staked', amountField, 'is more than the stake holds on the chain'),
    validator_unknown: () =>
      refused(422, 'validator_unknown', 'validator', 'is not a vote account of the chain'),
    validator_delinquent: () =>
      refused(
        422,
        'validator_delinquent',
        'validator',
        'does not vote at present: a stake would earn nothing',
      ),
    stake_not_found: () =>
      refused(409, 'stake_not_on_chain', null, 'The account of the stake does not exist on the chain'),
    not_the_owner: () =>
      refused(409, 'stake_key_changed', null, 'Another key controls the stake on the chain'),
    already_unstaking: () => notActive('unstaking'),
    not_withdrawable: () =>
      refused(
        409,
        'stake_cooling_down',
        null,
        `The stake cools down${at === undefined ? '' : `: withdraw it from about ${at} on`}`,
      ),
    rewards_being_paid: () =>
      new ApiError(
        503,
        'unavailable',
        'The chain pays the rewards of an epoch, and changes no stake meanwhile',
        {
          retryAfterSeconds: rewardsRetrySeconds,
        },
      ),
  }
  return answers[error.reason]()
}

export const unknownUnstaking = () =>
  refused(409, 'unstaking_pending', null, 'The transaction that unstakes it is not confirmed yet')
export const notSupported = () =>
  refused(422, 'staking_not_supported', 'planId', 'is a native plan, which this chain does not have')
