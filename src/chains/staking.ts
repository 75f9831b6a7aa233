import { BaseError, type Retry } from '../platform/errors.ts'
import type { CallsSpec } from './action.ts'
import type { ProviderError } from './chain.ts'

/**
 * The port of a chain for native stakes: SOL that a wallet delegates to a validator. Actions have one signer,
 * the wallet, and the sending core plans, signs and sends them as any other. Amounts are in lamports.
 */
export interface ChainStaking {
  /** Rent and minimum of a stake, as the nodes report them. @throws ProviderError */
  requirements(): Promise<StakeRequirements>
  /**
   * A new stake of `from`, delegated to a validator.
   * @throws StakeRefusedError `below_minimum`, `validator_unknown`, `validator_delinquent`; ProviderError
   */
  stake(order: StakeOrder): Promise<PreparedStake>
  /**
   * Starts the cool-down of a stake, or of a part of it. The part keeps its account; the rest moves to the
   * account of `restId`, which has a rent of its own, and stays delegated. Rewards that the chain has paid on
   * the stake go with the rest.
   * @throws StakeRefusedError `stake_not_found`, `not_the_owner`, `already_unstaking`, `more_than_staked`,
   * `below_minimum`, `rest_below_minimum`,
   * `rewards_being_paid`; ProviderError
   */
  unstake(order: UnstakeOrder): Promise<PreparedUnstake>
  /**
   * Pays all that the account holds to its owner, rent and rewards with it, and closes it.
   * @throws StakeRefusedError `stake_not_found`, `not_the_owner`, `not_withdrawable`, `rewards_being_paid`;
   * ProviderError
   */
  withdraw(order: StakeOwner): Promise<PreparedWithdrawal>
  /**
   * Reads many stakes with few calls.
   * @returns in the order of the owners; an error for one about which the nodes disagree
   * @throws ProviderError
   */
  look(owners: readonly StakeOwner[]): Promise<(StakeReading | ProviderError)[]>
}

/** A stake, and the time of the chain at which it was read. */
export interface StakeReading {
  /** Null for an account that does not exist, or no longer. */
  account: StakeAccount | null
  slot: number
  /** Estimate. Rewards and states change then. */
  epochEndsAt: Date
  /** The chain pays the rewards of the last epoch: they change meanwhile. */
  paysRewards: boolean
}

export interface StakeRequirements {
  /** On top of the amount; comes back with the withdrawal. */
  rent: bigint
  /** The minimum that can be delegated. */
  minimum: bigint
}

/** A stake's account follows from both. */
export interface StakeOwner {
  /** The stake's id, a UUID. */
  id: string
  /** The wallet, in normal form. */
  from: string
}

export interface StakeOrder extends StakeOwner {
  /** The validator's vote account, in normal form. */
  validator: string
  /** More than zero. */
  amount: bigint
}

export interface UnstakeOrder extends StakeOwner {
  /** Null: all of it. */
  part: {
    /** What the part leaves with, without rewards. */
    amount: bigint
    /** Id of the stake that the rest becomes. */
    restId: string
  } | null
}

interface Prepared {
  action: CallsSpec
  /** The account of the stake, in normal form. */
  account: string
}

export interface PreparedStake extends Prepared {
  /** Paid on top of the amount. */
  rent: bigint
}

export interface PreparedUnstake extends Prepared {
  /** Null if nothing stays delegated. */
  rest: {
    account: string
    /** Delegated to the validator, rewards included. */
    delegated: bigint
    /** Paid for its account. */
    rent: bigint
  } | null
  /** Estimate of the earliest time of a withdrawal. */
  withdrawableAt: Date
}

export interface PreparedWithdrawal extends Prepared {
  /** All that the account holds. */
  lamports: bigint
}

/**
 * `undelegated`: never delegated. `activating`: all or a part still warms up. `deactivating`: cools down, and
 * earns until then.
 * `inactive`: can be withdrawn.
 */
export type StakeState = 'undelegated' | 'activating' | 'active' | 'deactivating' | 'inactive'

/** A stake's account in the newest confirmed block. */
export interface StakeAccount {
  account: string
  /** All that it holds, rent and rewards included. */
  lamports: bigint
  /** Who may split and deactivate it, and who may withdraw from it. Normal forms. */
  staker: string
  withdrawer: string
  /** The validator's vote account; null if undelegated. */
  validator: string | null
  /** With rewards that the chain has added. */
  delegated: bigint
  state: StakeState
  /** Earn now. */
  effective: bigint
  /** Warm up, and cool down. */
  activating: bigint
  deactivating: bigint
  /** Estimate of the earliest time of a withdrawal; null while it is not cooling down. */
  withdrawableAt: Date | null
}

/** What the chain paid on a stake, by what it was opened with. */
export function stakeRewards(
  { lamports }: Pick<StakeAccount, 'lamports'>,
  opened: { amount: bigint; rent: bigint },
): bigint {
  const rewards = lamports - opened.rent - opened.amount
  return rewards > 0n ? rewards : 0n
}

/** Stable. */
export type StakeRefusal =
  /** Below what can be delegated; see `minimum`. */
  | 'below_minimum'
  /** The rest of a stake would be less than can be delegated. */
  | 'rest_below_minimum'
  | 'more_than_staked'
  /** Not a vote account of the chain. */
  | 'validator_unknown'
  /** The validator does not vote: it earns nothing. */
  | 'validator_delinquent'
  | 'stake_not_found'
  | 'not_the_owner'
  | 'already_unstaking'
  /** It is not unstaked, or still cools down. `withdrawableAt` has the end. */
  | 'not_withdrawable'
  /** The chain pays the rewards of the last epoch, and changes no stake meanwhile: retry in some minutes. */
  | 'rewards_being_paid'

/** The chain would refuse a step of a stake. Nothing was sent. */
export class StakeRefusedError extends BaseError {
  readonly code = 'stake_refused'
  readonly retry: Retry
  readonly reason: StakeRefusal
  readonly minimum: bigint | null
  readonly withdrawableAt: Date | null
  constructor(
    reason: StakeRefusal,
    message: string,
    more: { minimum?: bigint; withdrawableAt?: Date | null } = {},
  ) {
    super(message)
    this.retry = reason === 'rewards_being_paid' || reason === 'not_withdrawable' ? 'yes' : 'no'
    this.reason = reason
    this.minimum = more.minimum ?? null
    this.withdrawableAt = more.withdrawableAt ?? null
  }
}
