import type { Queryable } from '../platform/database/db.ts'
import type { IntentStatus } from '../txmgr/intents.ts'

/** A payment of a stake. Amounts in base units. */
export interface Payment {
  intentId: string
  principal: bigint
  rewards: bigint
  status: IntentStatus
  /** It failed or expired, and nothing of that can change any more. */
  isDead: boolean
  /** The treasury has signed a transaction of it. */
  isSigned: boolean
  /** An operator lets the treasury replace it once more. */
  isRetried: boolean
  /** Since its last change. */
  ageMs: number
}

/** All payments of a stake, oldest first. */
export async function readPayments(db: Queryable, stakeId: string): Promise<Payment[]> {
  const rows = await db.query<
    Omit<Payment, 'principal' | 'rewards'> & { principal: string; rewards: string }
  >(
    `select p.intent_id as "intentId", p.principal::text as principal, p.rewards::text as rewards, i.status,
       i.status in ('failed', 'expired') and i.next_reconcile_at is null as "isDead",
       exists (select 1 from treasury_signatures s where s.intent_id = i.id) as "isSigned",
       exists (select 1 from stake_retries r where r.intent_id = i.id) as "isRetried",
       (extract(epoch from now() - i.updated_at) * 1000)::float8 as "ageMs"
     from stake_payments p join intents i on i.id = p.intent_id where p.stake_id = $1 order by p.created_at, p.intent_id`,
    [stakeId],
  )
  return rows.map(({ principal, rewards, ...row }) => ({
    ...row,
    principal: BigInt(principal),
    rewards: BigInt(rewards),
  }))
}

export const parts = ['principal', 'rewards'] as const
export type Part = (typeof parts)[number]

/** A part is paid again once: after a second failure an operator must release each of its payments. */
export const maxReplaced = 1

/** The treasury may sign another payment in place of these. */
export const isReplaceable = (signed: readonly Pick<Payment, 'isRetried'>[]): boolean =>
  signed.length <= maxReplaced || signed.every(({ isRetried }) => isRetried)
