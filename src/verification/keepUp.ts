import type { Db } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { eraseData } from './eraseVerification.ts'
import type { ErasureLog } from './erasures/erasureLog.ts'
import { noteErasures } from './erasures/noteErasures.ts'
import { dropFiles } from './uploads/dropFiles.ts'
import { dropUploads } from './uploads/dropUploads.ts'
import type { UploadStore } from './uploads/uploadStore.ts'

interface KeepUpContext {
  db: Db
  log: Log
  uploads: UploadStore | null
  erasures: ErasureLog | null
  retentionDays: number
}

const everyMs = 600_000
const atOnce = 100

/**
 * Erases what has been kept for its time, and drops uploads that were not used, until `stopping` is aborted.
 */
export async function keepUp(ctx: KeepUpContext, stopping: AbortSignal): Promise<void> {
  const failed = (error: unknown): void =>
    ctx.log.error({ err: messageOf(error) }, 'personal data could not be erased in time; trying again')
  await repeat(stopping, { everyMs, failed }, async () => {
    while (!stopping.aborted && (await eraseOld(ctx))) {}
    await noteErasures(ctx)
    await dropUploads(ctx, stopping)
  })
}

/**
 * Erases requests past their time: after their end, or, of those that still wait for credit, after they were
 * made. @returns false if there was nothing to erase
 */
export async function eraseOld({
  db,
  log,
  uploads,
  retentionDays,
}: Omit<KeepUpContext, 'erasures'>): Promise<boolean> {
  const files = await db.tx(async (tx) => {
    const old = await tx.query<{ id: string }>(
      `select id from verifications where erased_at is null and (completed_at < now() - $1 * interval '1 day'
         or (status = 'pending_credit' and created_at < now() - $1 * interval '1 day'))
       limit $2 for no key update skip locked`,
      [retentionDays, atOnce],
    )
    const dropped: string[] = []
    for (const { id } of old) dropped.push(...(await eraseData(tx, id)))
    return old.length === 0 ? null : dropped
  })
  if (files === null) return false
  await dropFiles({ db, uploads, log }, files)
  return true
}
