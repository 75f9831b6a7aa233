import type { Queryable } from '../platform/database/db.ts'
import { firstIdAt } from '../platform/ids.ts'
import { labelSets } from '../platform/telemetry/labelSets.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { IntentStatus } from '../txmgr/intents.ts'
import { type SwapStatus, shownStatus, swapStatuses } from './presentSwap.ts'
import { swapProviderNames } from './provider.ts'

const dayMs = 24 * 3600 * 1000

interface Counted {
  provider: string
  status: SwapStatus
  count: number
}

/** The swaps that were executed within 24 hours, by provider and status. */
export async function recentSwaps(db: Queryable, now = Date.now()): Promise<Counted[]> {
  const rows = await db.query<{ provider: string; status: IntentStatus; count: number }>(
    `select s.provider, i.status, count(*)::int as count from swaps s join intents i on i.id = s.id
     where s.id >= $1 group by s.provider, i.status`,
    [firstIdAt(now - dayMs)],
  )
  const counts = new Map<string, Counted>()
  for (const { provider, status, count } of rows) {
    const shown = shownStatus[status]
    const key = `${provider} ${shown}`
    counts.set(key, { provider, status: shown, count: count + (counts.get(key)?.count ?? 0) })
  }
  return [...counts.values()]
}

/** Counts swaps by provider and status at each scrape. */
export function createSwapGauge(metrics: Metrics, db: Queryable): void {
  const help = 'Swaps that were executed within 24 hours, by status'
  metrics.collected('swaps_recent', help, ['provider', 'status'], async (gauge) => {
    gauge.resetTo(labelSets({ provider: swapProviderNames, status: swapStatuses }))
    for (const { provider, status, count } of await recentSwaps(db)) gauge.set({ provider, status }, count)
  })
}
