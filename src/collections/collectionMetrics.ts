import type { Db } from '../platform/database/db.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { Round } from './syncRound.ts'

const states = ['pending', 'processing', 'completed', 'expired', 'failed', 'refunded']

/** Counts pages of the partner's list, and what they showed. */
export function createSyncCounter(metrics: Metrics): (round: Round) => void {
  const counter = metrics.counter(
    'collection_sync_total',
    "What rounds read of the partner's list of collections",
    ['what'],
  )
  const kinds = ['pages', 'shown', 'changed', 'missing'] as const
  for (const what of kinds) counter.inc({ what }, 0)
  return (round) => {
    for (const what of kinds) counter.inc({ what }, round[what])
  }
}

/** Gauges of collections. Read at each scrape. */
export function createCollectionMetrics(metrics: Metrics, db: Db, partner: string): void {
  metrics.collected('collections', 'Fiat collections by state', ['status'], async (gauge) => {
    for (const status of states) gauge.set({ status }, 0)
    const rows = await db.query<{ status: string; n: number }>(
      'select status, sum(n)::float8 as n from fiat_collection_counts group by status',
    )
    for (const { status, n } of rows) gauge.set({ status }, n)
  })
  metrics.collected(
    'collections_waiting_seconds',
    'How long the oldest collection waits, by what it waits for',
    ['state'],
    async (gauge) => {
      const rows = await db.query<{ state: string; seconds: number }>(waiting)
      for (const { state, seconds } of rows) gauge.set({ state }, seconds)
    },
  )
  metrics.collected(
    'collections_unsynced_seconds',
    'Age of what was not read: since the last whole round, or the first submission without an answer',
    [],
    async (gauge) => {
      const [row] = await db.query<{ seconds: number | null }>(
        `select extract(epoch from now() - least(
           (select min(submitted_at) from fiat_collections where partner = $1 and partner_payment_id is null and submitted_at is not null and status = 'pending'),
           case when exists (select 1 from fiat_collections where partner = $1 and status in ('pending', 'processing'))
             then (select synced_until from collection_syncs where partner = $1) end))::float8 as seconds`,
        [partner],
      )
      gauge.set(row?.seconds ?? 0)
    },
  )
}

/**
 * `pending` and `processing` since the creation, `settlement` since the partner has completed it without a
 * confirmed transfer.
 */
const waiting = `
  select state, coalesce(extract(epoch from now() - since), 0)::float8 as seconds from (values
    ('pending', (select min(created_at) from fiat_collections where status = 'pending')),
    ('processing', (select min(created_at) from fiat_collections where status = 'processing')),
    ('settlement', (select min(ended_at) from fiat_collections where status = 'completed' and settlement in ('none', 'seen')))) as oldest(state, since)`
