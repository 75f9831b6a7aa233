import { expect, test } from '@jest/globals'
import { openBankPayouts } from '../../test/support/bankPayouts.ts'
import { intentEnv, provers } from '../../test/support/intentKeys.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import type { WorkerContext } from '../capability.ts'
import { payouts } from '../payouts/capability.ts'
import { readSettings } from '../platform/config.ts'
import type { Settings } from '../platform/settings.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'

test('a worker reads the balance of the account at the partner once for its payouts and its watch', async () => {
  const bank = await openBankPayouts()
  const stop = new AbortController()
  const stops: (() => Promise<unknown>)[] = []
  const worker = {
    ...bank.ctx,
    prover: provers.worker,
    metrics: createMetrics('test'),
    settings: (of: Settings) => readSettings('worker', of, intentEnv),
    onStop: (end: () => Promise<unknown>) => stops.push(end),
    stopping: stop.signal,
  } as unknown as WorkerContext
  try {
    const { id } = await bank.make(await bank.business(100_000_000n))
    const handler = await payouts.queues?.payouts?.start(worker)
    await payouts.startWorker?.(worker)
    const reads = () => bank.standIn.asked.filter((path) => path === '/business/account').length
    // The watch reads it, then the daily comparison does, which takes no balance that was read before.
    const compared = async () => (await bank.db.query('select 1 from partner_comparisons')).length > 0
    await waitFor('the first comparison', compared)
    const before = reads()
    await handler?.process({ outflowId: id })
    expect([before, reads(), (await bank.read(id)).status]).toEqual([2, 2, 'processing'])
  } finally {
    stop.abort()
    for (const end of stops) await end()
    await bank.close()
  }
})
