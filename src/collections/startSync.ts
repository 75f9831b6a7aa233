import type { WorkerContext } from '../capability.ts'
import { createRoundAge } from '../partnerPayments/roundAge.ts'
import { claimRound, storeFailedRound, storeRound } from '../partnerPayments/syncRounds.ts'
import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import { createCollectionMetrics, createSyncCounter } from './collectionMetrics.ts'
import { collectionsContext } from './collectionsWorker.ts'
import { roundStart } from './roundStart.ts'
import type { StepContext } from './stepCollection.ts'
import { type Round, syncRound } from './syncRound.ts'

/** Between two checks for a due round. */
const lookMs = 10_000

/** Reads the partner's list every five minutes until the worker stops: one worker at a time, from rows. */
export function startSync(worker: WorkerContext): void {
  const ctx = collectionsContext(worker)
  if (!ctx) return
  createCollectionMetrics(worker.metrics, worker.db, ctx.partner.name)
  createRoundAge(worker.metrics, worker.db, 'collection_syncs', ctx.partner.name)
  const count = createSyncCounter(worker.metrics)
  const failed = (error: unknown): void =>
    worker.log.warn({ err: messageOf(error) }, 'collections were not synced; trying again')
  const syncing = repeat(worker.stopping, { everyMs: lookMs, failed }, async () => {
    const round = await syncWhenDue(ctx)
    if (!round) return
    count(round)
    worker.log.info(round, 'collections were synced with the partner')
  })
  worker.onStop(() => syncing)
}

/** @returns null if no round is due, or it has nothing to read. @throws what has ended the round */
export async function syncWhenDue(ctx: StepContext): Promise<Round | null> {
  const { name } = ctx.partner
  const claimed = await claimRound(ctx.db, 'collection_syncs', name)
  if (!claimed) return null
  const now = new Date()
  const from = await roundStart(ctx.db, name, claimed.syncedUntil)
  if (from === null) {
    await storeRound(ctx.db, 'collection_syncs', name, now)
    return null
  }
  try {
    return await syncRound(ctx, from)
  } catch (error) {
    await storeFailedRound(ctx.db, 'collection_syncs', name)
    throw error
  }
}
