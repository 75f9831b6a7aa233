import type { Queryable } from '../platform/database/db.ts'
import { labelSets } from '../platform/telemetry/labelSets.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { driftKinds } from './drift.ts'
import { readCloses, readDrifts } from './readCloses.ts'

/**
 * Of the last close. Before the first one there is no difference, and the age grows from the start of the
 * worker.
 */
export function createLedgerMetrics(metrics: Metrics, db: Queryable): void {
  const startedAt = Date.now()
  // Differences of chains are those of the last checks: src/reconciliation sets them.
  const kinds = driftKinds.filter((kind) => kind !== 'chain')
  metrics.collected(
    'ledger_drift',
    'Differences that the last close of the ledger found; 0 when the books are sound',
    ['kind'],
    async (gauge) => {
      gauge.resetTo(labelSets({ kind: kinds }))
      const [close] = await readCloses(db, 1)
      if (!close) return
      const drifts = close.drifts === 0 ? [] : await readDrifts(db, close.id)
      for (const kind of kinds) gauge.set({ kind }, drifts.filter((drift) => drift.kind === kind).length)
    },
  )
  metrics.collected(
    'ledger_close_age_seconds',
    'Time since the last close of the ledger ended; before the first, since the start',
    [],
    async (gauge) => {
      gauge.reset()
      const [row] = await db.query<{ age: number | null }>(
        'select extract(epoch from clock_timestamp() - max(ended_at))::float8 as age from ledger_closes',
      )
      gauge.set(row?.age ?? (Date.now() - startedAt) / 1000)
    },
  )
}
