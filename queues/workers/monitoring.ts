import type { Job } from 'bullmq'
import type { ChainConnection } from '../../src/chains/connection.ts'
import type { Chain } from '../../src/chains/registry.ts'
import { publishTransactionEvents } from '../../src/monitoring/publishTransactionEvents.ts'
import type { Db } from '../../src/platform/db.ts'
import type { OutboxJob } from '../../src/platform/jobs.ts'
import type { Log } from '../../src/platform/log.ts'
import { createOneByOne } from '../../src/platform/oneByOne.ts'

/** Publishes events for detections of monitored addresses. */
export function monitoringWorker(ctx: {
  db: Db
  chains: readonly Chain[]
  connectionOf(chain: string): Promise<Pick<ChainConnection, 'accounts'>>
  log: Log
}) {
  const accountsOf = async (chain: string) => (await ctx.connectionOf(chain)).accounts()
  const recording = { db: ctx.db, chains: ctx.chains, oneByOne: createOneByOne(), accountsOf }
  return async (job: Job<OutboxJob<'monitoring'>>): Promise<void> => {
    const events = await publishTransactionEvents(recording, job.data)
    if (events.length > 0) ctx.log.info({ businessId: job.data.businessId, reason: job.data.reason, events: events.length }, 'detections published')
  }
}
