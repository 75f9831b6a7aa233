import { createRoundAge } from '../../src/partnerPayments/roundAge.ts'
import type { SyncTable } from '../../src/partnerPayments/syncRounds.ts'
import type { Queryable } from '../../src/platform/database/db.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'

/** What a worker's metrics report of the last complete round, in seconds; null: nothing. */
export async function roundAge(db: Queryable, table: SyncTable): Promise<number | null> {
  const metrics = createMetrics('worker')
  createRoundAge(metrics, db, table, 'yellowcard')
  const kind = table === 'payout_syncs' ? 'payouts' : 'collections'
  const found = new RegExp(`^cowry_partner_round_age_seconds\\{.*kind="${kind}".*\\} (.+)$`, 'm').exec(
    await metrics.exposition(),
  )
  return found ? Number(found[1]) : null
}
