import { recordAudit, systemActor } from '../../audit/recordAudit.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { messageOf } from '../../platform/errors.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { endVerification } from '../endVerification.ts'
import { eraseData, withoutData } from '../eraseVerification.ts'
import { dropFiles } from '../uploads/dropFiles.ts'
import type { UploadStore } from '../uploads/uploadStore.ts'
import type { ErasureLog } from './erasureLog.ts'

interface ReplayContext {
  db: Db
  log: Log
  uploads: UploadStore | null
  erasures: ErasureLog
}

const retryMs = 1000

/**
 * Erases again what a restored database has brought back. Tries until it has succeeded, or `stopping` is
 * aborted. @returns true if it succeeded
 */
export async function replayUntilDone(ctx: ReplayContext, stopping: AbortSignal): Promise<boolean> {
  const done = new AbortController()
  const failed = (error: unknown): void =>
    ctx.log.error({ err: messageOf(error) }, 'the log of erasures could not be replayed; trying again')
  await repeat(AbortSignal.any([stopping, done.signal]), { everyMs: retryMs, failed }, async () => {
    const count = await replayErasures(ctx)
    if (count > 0)
      ctx.log.warn({ count }, 'a restored database had data that were erased: they are erased again')
    done.abort()
  })
  return done.signal.aborted
}

/** @returns how many requests had data again */
export async function replayErasures({ db, log, uploads, erasures }: ReplayContext): Promise<number> {
  let count = 0
  for await (const ids of erasures.read()) {
    const back = await db.query<{ id: string }>(
      'select id from verifications where id = any($1) and erased_at is null',
      [ids],
    )
    for (const { id } of back) {
      await dropFiles({ db, uploads, log }, await db.tx((tx) => eraseAgain(tx, id)))
      count++
    }
  }
  return count
}

/** In the restored database it may be under way: it is not checked a second time, and costs nothing. */
async function eraseAgain(tx: Tx, id: string): Promise<string[]> {
  const [row] = await tx.query<{ businessId: string }>(
    'select business_id as "businessId" from verifications where id = $1 and erased_at is null for no key update',
    [id],
  )
  if (!row) return []
  await endVerification(tx, id, withoutData)
  const files = await eraseData(tx, id)
  await recordAudit(tx, systemActor('log of erasures'), {
    businessId: row.businessId,
    action: 'verification.erased',
    target: id,
  })
  return files
}
