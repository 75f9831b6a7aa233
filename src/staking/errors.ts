import { ApiError } from '../platform/errors.ts'

export const refused = (status: 409 | 422, code: string, field: string | null, message: string): ApiError =>
  new ApiError(
    status,
    code,
    field === null ? message : `${field}: ${message}`,
    field === null ? {} : { fields: [{ field, message }] },
  )

export const planStopped = () => refused(409, 'plan_stopped', null, 'The plan takes no new stakes')
export const notConfirmed = () =>
  refused(409, 'stake_not_confirmed', null, 'The transaction of the stake is not confirmed yet')
export const notActive = (status: string) => refused(409, 'stake_not_active', null, `The stake is ${status}`)
export const notUnstaking = (status: string) =>
  refused(409, 'stake_not_unstaking', null, `The stake is ${status}: unstake it first`)
export const alreadyRequested = () =>
  refused(409, 'withdrawal_requested', null, 'The withdrawal of the stake was requested before')

export const belowMinimum = (minimum: string) =>
  refused(422, 'stake_below_minimum', 'amount', `must be ${minimum} or more`)
export const aboveMaximum = (maximum: string) =>
  refused(422, 'stake_above_maximum', 'amount', `must be ${maximum} or less`)
export const aboveStake = (amount: string) =>
  refused(422, 'more_than_staked', 'amountToUnstake', `is more than the ${amount} of the stake`)
export const partBelowMinimum = (minimum: string) =>
  refused(
    422,
    'part_below_minimum',
    'amountToUnstake',
    `must be ${minimum}, the minimum of the plan, or more, unless all of the stake leaves`,
  )
export const restBelowMinimum = (minimum: string) =>
  refused(
    422,
    'rest_below_minimum',
    'amountToUnstake',
    `leaves less than ${minimum}, the minimum of the plan`,
  )
export const wrongKey = () =>
  refused(422, 'wrong_staking_key', 'fromPrivateKey', 'is not the key of the address that staked')
export const notReady = () =>
  new ApiError(503, 'unavailable', 'The staking address of the chain is not known yet', {
    retryAfterSeconds: 60,
  })
