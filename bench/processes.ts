import type { CowryProcess } from '../scripts/local/cowryProcess.ts'
import { profileOptions } from './profile.ts'

/** Production settings for the measured processes; the tests' are faster or stricter. */
export const asInProduction = (): Record<string, string> => ({
  LOG_LEVEL: 'info',
  VALIDATE_RESPONSES: 'count',
  DATABASE_POOL: '10',
  INDEXER_POLL_MS: '2000',
  RPC_TIMEOUT_MS: '10000',
  RELAY_POLL_MS: '1000',
  RELAY_RETRY_MS: '15000',
  WORKER_STALLED_MS: '15000',
  WEBHOOK_TIMEOUT_MS: '15000',
  WEBHOOK_IN_FLIGHT: '8',
  WORKER_CONCURRENCY: '16',
  ...profileOptions(),
})

/** CPU milliseconds of a process so far, from its metrics. */
export async function cpuMsOf(product: CowryProcess | undefined): Promise<number> {
  const text = await (await fetch(product?.metricsUrl() ?? '')).text()
  const seconds = /^cowry_process_cpu_seconds_total\S* (\S+)/m.exec(text)?.[1]
  if (!seconds) throw new Error('the process metrics lack cowry_process_cpu_seconds_total')
  return Number(seconds) * 1000
}
