import type { Queryable } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { restoredSql } from './restored.ts'

export interface Pause {
  chain: string
  reason: string
  pausedAt: Date
}

/** Chains on which signing and sending are paused. */
export const readPauses = (db: Queryable): Promise<Pause[]> =>
  db.query<Pause>('select chain, reason, paused_at as "pausedAt" from sending_pauses order by chain')

/** Stops signing and sending on a chain, from the next reconcile on; sent transactions are still watched. */
export async function pauseSending(db: Queryable, chain: string, reason: string): Promise<void> {
  await db.query(
    'insert into sending_pauses (chain, reason) values ($1, $2) on conflict (chain) do update set reason = $2',
    [chain, reason],
  )
}

/** @returns whether it was paused */
export async function resumeSending(db: Queryable, chain: string): Promise<boolean> {
  return (await db.query('delete from sending_pauses where chain = $1 returning chain', [chain])).length > 0
}

/** The reason why nothing on a chain is signed or sent. */
type Standstill = 'outgoing_paused' | 'outgoing_restored'

async function standstillOf(db: Queryable, chain: string): Promise<Standstill | null> {
  const [row] = await db.query<{ restored: boolean; paused: boolean }>(
    `select ${restoredSql} as restored, exists (select 1 from sending_pauses where chain = $1) as paused`,
    [chain],
  )
  if (!row || row.restored) return 'outgoing_restored'
  return row.paused ? 'outgoing_paused' : null
}

/**
 * Checks if nothing may be signed or sent on a chain: paused by the operator, or the database was restored.
 */
export async function isPaused(db: Queryable, chain: string): Promise<boolean> {
  return (await standstillOf(db, chain)) !== null
}

const messages: Record<Standstill, (chain: string) => string> = {
  outgoing_paused: (chain) => `Nothing is sent on ${chain} for now; the operator has paused it`,
  outgoing_restored: () =>
    'Nothing is sent for now: the database was restored, and the operator has yet to settle what had left before',
}

/** Whether a refusal is the operator's own decision: nothing is wrong. */
export const isStandstill = ({ error }: ApiError): boolean => Object.hasOwn(messages, error)

/** @throws ApiError 503 `outgoing_paused`, `outgoing_restored` */
export async function requireNotPaused(db: Queryable, chain: string): Promise<void> {
  const standstill = await standstillOf(db, chain)
  if (standstill !== null)
    throw new ApiError(503, standstill, messages[standstill](chain), { retryAfterSeconds: 60 })
}
