import type { Queryable } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'
import { driftKinds } from './drift.ts'
import { readCloses, readDrifts } from './readCloses.ts'

/** Of the last close; without one there are no values. */
export function createLedgerMetrics(metrics: Metrics, db: Queryable): void {
  metrics.collected('ledger_drift', 'Differences that the last close of the ledger found; 0 when the books are sound', ['kind'], async (gauge) => {
    gauge.reset()
    const [close] = await readCloses(db, 1)
    if (!close) return
    const drifts = close.drifts === 0 ? [] : await readDrifts(db, close.id)
    // Differences of chains are those of the last checks: src/reconciliation sets them.
    for (const kind of driftKinds) if (kind !== 'chain') gauge.set({ kind }, drifts.filter((drift) => drift.kind === kind).length)
  })
  metrics.collected('ledger_close_age_seconds', 'Time since the last close of the ledger ended', [], async (gauge) => {
    gauge.reset()
    const [row] = await db.query<{ age: number | null }>(
      'select extract(epoch from clock_timestamp() - max(ended_at))::float8 as age from ledger_closes',
    )
    if (row?.age != null) gauge.set(row.age)
  })
}
