import type { Queryable } from '../platform/database/db.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { SyncTable } from './syncRounds.ts'

const kinds = { collection_syncs: 'collections', payout_syncs: 'payouts' } as const satisfies Record<
  SyncTable,
  string
>

/** A gauge of the rounds of one kind. Read at each scrape. */
export function createRoundAge(metrics: Metrics, db: Queryable, table: SyncTable, partner: string): void {
  metrics.collected(
    'partner_round_age_seconds',
    "Time since the last complete round of a partner's list",
    ['kind'],
    async (gauge) => {
      const [row] = await db.query<{ seconds: number }>(
        `select extract(epoch from now() - completed_at)::float8 as seconds from ${table} where partner = $1`,
        [partner],
      )
      if (row) gauge.set({ kind: kinds[table] }, row.seconds)
    },
  )
}
