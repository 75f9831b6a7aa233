import type { Queryable } from '../platform/database/db.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { OutflowStatus } from './outflow.ts'

/**
 * States that wait, and since when an outflow is in each. What a person or a set time decides does not age
 * `pending`.
 */
export const since: Partial<Record<OutflowStatus, string>> = {
  awaiting_claim: 'created_at',
  awaiting_approval: 'created_at',
  pending:
    'greatest(created_at, (select usable_from from payout_destinations d where d.id = outflows.destination_id))',
  processing: 'coalesce(submitted_at, sent_at, created_at)',
  unknown: 'coalesce(submitted_at, sent_at, updated_at)',
}
const decided = [
  'cooling_off',
  'held',
  'outgoing_paused',
  'outgoing_restored',
  'partner_paused',
  'payout_limit',
  'daily_limit',
  'key_limit',
  'legal_profile_missing',
  'price_changed',
  'destination_approval',
  'approval_missing',
]

const oldest = `
  select kind, status as state,
    extract(epoch from now() - min(case status ${Object.entries(since)
      .map(([state, from]) => `when '${state}' then ${from}`)
      .join(' ')} end))::float8 as seconds
  from outflows where status not in ('completed', 'failed', 'cancelled', 'returned') and (reason is null or reason <> all($1)) group by 1, 2`

/** A gauge of the oldest outflow in each state that waits. Read at each scrape. */
export function createWaitingAges(metrics: Metrics, db: Queryable, kinds: readonly string[]): void {
  metrics.collected(
    'outflows_oldest_age_seconds',
    'Age of the oldest outflow in each state that waits',
    ['kind', 'state'],
    async (gauge) => {
      gauge.reset()
      for (const kind of kinds) for (const state of Object.keys(since)) gauge.set({ kind, state }, 0)
      for (const { kind, state, seconds } of await db.query<{ kind: string; state: string; seconds: number }>(
        oldest,
        [decided],
      ))
        gauge.set({ kind, state }, Math.max(seconds, 0))
    },
  )
}

/** A gauge of the top-up that is under way, since its transaction is final. Read at each scrape. */
export function createTopUpAge(metrics: Metrics, db: Queryable, partner: string): void {
  metrics.collected(
    'partner_top_up_age_seconds',
    'Time since a top-up left that is not seen at the partner yet',
    ['partner'],
    async (gauge) => {
      const [row] = await db.query<{ seconds: number | null }>(
        `select extract(epoch from now() - o.completed_at)::float8 as seconds
       from partner_top_ups t join outflows o on o.id = t.outflow_id where t.partner = $1 and t.ended_at is null`,
        [partner],
      )
      gauge.set({ partner }, row?.seconds ?? 0)
    },
  )
}
