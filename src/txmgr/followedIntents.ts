import { feeWaitSql } from './fees/feeWait.ts'
import type { Intent } from './intents.ts'

/** What the cause of an intent follows. */
export type FollowedIntent = Pick<
  Intent,
  'id' | 'chain' | 'status' | 'reason' | 'message' | 'txId' | 'settled' | 'feeWaitForMs' | 'createdAt'
>

/** An intent in the column of `followedSql`. */
export type FollowedJson = Omit<FollowedIntent, 'createdAt'> & { createdMs: number }

/**
 * SQL: a JSON array of intents, for a statement that reads their cause. Narrow: the whole intent takes longer
 * to plan than all the rest of a step.
 * @param ids SQL of an array of ids
 */
export const followedSql = (ids: string): string =>
  `(select coalesce(jsonb_agg(jsonb_build_object('id', id, 'chain', chain, 'status', status, 'reason', reason, 'message', message,
    'txId', tx_id, 'settled', next_reconcile_at is null,
    'feeWaitForMs', case when ${feeWaitSql} then extract(epoch from now() - fee_waits_since) * 1000 end,
    'createdMs', extract(epoch from created_at) * 1000)), '[]') from intents where id = any(${ids}))`

export const followedIntents = (read: readonly FollowedJson[]): FollowedIntent[] =>
  read.map(({ createdMs, ...rest }) => ({ ...rest, createdAt: new Date(createdMs) }))
