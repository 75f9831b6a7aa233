import type { StakeState } from '../chains/staking.ts'
import type { Queryable } from '../platform/database/db.ts'
import { currentCause } from '../platform/telemetry/scope.ts'
import type { PlanType } from './plan.ts'
import { lockedUntilOf } from './rewards.ts'

export type StakeStatus = 'active' | 'unstaking' | 'withdrawn'

/** A stake, or a part of one. Amounts in base units, percentages as exact decimals. */
export interface Stake {
  id: string
  businessId: string
  planId: string
  /** The stake whose transaction holds the money: itself, unless it is the rest of another one. */
  rootId: string
  type: PlanType
  chain: string
  token: string
  /** Null: the coin. */
  contract: string | null
  decimals: number
  amount: bigint
  /** Of the transaction of its root. */
  stakedAmount: bigint
  apy: string
  lockDays: number
  penaltyPercent: string
  /** Normal form. */
  from: string
  validator: string | null
  status: StakeStatus
  /** Why nothing was staked. */
  reason: string | null
  createdAt: Date
  lockedUntil: Date
  /** Null: a native stake, which the treasury never pays. */
  termsProof: Buffer | null
  /** The time of the confirming block; null: not confirmed. */
  confirmedAt: Date | null
  unstakedAt: Date | null
  /** When its rewards start: `confirmedAt` at the time of unstaking. */
  earnedFrom: Date | null
  unstakeProof: Buffer | null
  penalty: bigint | null
  rewards: bigint | null
  /** The account of rewards has paid for them. */
  rewardsBooked: boolean
  withdrawRequestedAt: Date | null
  withdrawnAt: Date | null
  /** Native stakes: what the account holds on top. Null: pooled. */
  rent: bigint | null
  /** Native stakes, at the last read of the chain; null before. */
  chainState: StakeState | null
  /** Native stakes: estimate of the chain; null while it does not cool down. */
  withdrawableAt: Date | null
  /** Native stakes: the state of the last event; null: active. */
  announced: 'unstaking' | 'withdrawn' | null
}

type NullableAmount = 'penalty' | 'rewards' | 'rent'
type Row = Omit<Stake, 'amount' | 'stakedAmount' | NullableAmount | 'lockedUntil'> &
  Record<'amount' | 'stakedAmount', string> &
  Record<NullableAmount, string | null>

const columns = `id, business_id as "businessId", plan_id as "planId", root_id as "rootId", type, chain, token, contract, decimals,
  amount::text as amount, staked_amount::text as "stakedAmount", apy::text as apy, lock_days as "lockDays",
  penalty_percent::text as "penaltyPercent", from_address as "from", validator, status, reason, created_at as "createdAt",
  terms_proof as "termsProof", confirmed_at as "confirmedAt", unstaked_at as "unstakedAt", earned_from as "earnedFrom", unstake_proof as "unstakeProof",
  penalty::text as penalty, rewards::text as rewards, rewards_booked as "rewardsBooked",
  withdraw_requested_at as "withdrawRequestedAt", withdrawn_at as "withdrawnAt",
  rent::text as rent, chain_state as "chainState", withdrawable_at as "withdrawableAt", announced`

const whole = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

/** @param where SQL over the table `stakes`, with `values` from $1 on */
export async function readStakes(db: Queryable, where: string, values: unknown[]): Promise<Stake[]> {
  const rows = await db.query<Row>(`select ${columns} from stakes where ${where}`, values)
  return rows.map((row) => ({
    ...row,
    amount: BigInt(row.amount),
    stakedAmount: BigInt(row.stakedAmount),
    penalty: whole(row.penalty),
    rewards: whole(row.rewards),
    rent: whole(row.rent),
    lockedUntil: lockedUntilOf(row),
  }))
}

/** Locks all parts of the stake that a transaction paid, in one order. */
export const lockParts = (db: Queryable, rootId: string): Promise<Stake[]> =>
  readStakes(db, 'root_id = $1 order by id for update', [rootId])

/** What leaves with a part, without its rewards. */
export const netOf = ({ amount, penalty }: Pick<Stake, 'amount' | 'penalty'>): bigint =>
  amount - (penalty ?? 0n)

/** What a new stake, or the rest of another one, is stored with. */
export type NewStake = Omit<
  Stake,
  | 'status'
  | 'reason'
  | 'lockedUntil'
  | 'unstakedAt'
  | 'earnedFrom'
  | 'unstakeProof'
  | 'penalty'
  | 'rewards'
  | 'rewardsBooked'
  | 'withdrawRequestedAt'
  | 'withdrawnAt'
  | 'rent'
  | 'chainState'
  | 'withdrawableAt'
  | 'announced'
> & { rent?: bigint | null; rewards?: bigint | null }

export async function insertStake(tx: Queryable, stake: NewStake): Promise<void> {
  const { traceparent, requestId } = currentCause()
  await tx.query(
    `insert into stakes (id, business_id, plan_id, root_id, type, chain, token, contract, decimals, amount, staked_amount, apy, lock_days,
       penalty_percent, from_address, validator, created_at, terms_proof, confirmed_at, rent, rewards, traceparent, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
    [
      stake.id,
      stake.businessId,
      stake.planId,
      stake.rootId,
      stake.type,
      stake.chain,
      stake.token,
      stake.contract,
      stake.decimals,
      String(stake.amount),
      String(stake.stakedAmount),
      stake.apy,
      stake.lockDays,
      stake.penaltyPercent,
      stake.from,
      stake.validator,
      stake.createdAt,
      stake.termsProof,
      stake.confirmedAt,
      stake.rent?.toString() ?? null,
      stake.rewards?.toString() ?? null,
      traceparent,
      requestId,
    ],
  )
}
