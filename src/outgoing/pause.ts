import type { Queryable } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'

export interface Pause {
  chain: string
  reason: string
  pausedAt: Date
}

/** Chains on which nothing is signed or sent for now. */
export const readPauses = (db: Queryable): Promise<Pause[]> =>
  db.query<Pause>('select chain, reason, paused_at as "pausedAt" from outgoing_pauses order by chain')

/** Stops all that leaves on a chain, from the next look on: what was sent before is only watched. */
export async function pauseOutgoing(db: Queryable, chain: string, reason: string): Promise<void> {
  await db.query('insert into outgoing_pauses (chain, reason) values ($1, $2) on conflict (chain) do update set reason = $2', [chain, reason])
}

/** @returns whether it was paused */
export async function resumeOutgoing(db: Queryable, chain: string): Promise<boolean> {
  return (await db.query('delete from outgoing_pauses where chain = $1 returning chain', [chain])).length > 0
}

export async function isPaused(db: Queryable, chain: string): Promise<boolean> {
  return (await db.query('select 1 from outgoing_pauses where chain = $1', [chain])).length > 0
}

/** @throws ApiError 503 `outgoing_paused` */
export async function requireNotPaused(db: Queryable, chain: string): Promise<void> {
  if (await isPaused(db, chain)) {
    throw new ApiError(503, 'outgoing_paused', `Nothing is sent on ${chain} for now; the operator has paused it`, { retryAfterSeconds: 60 })
  }
}
