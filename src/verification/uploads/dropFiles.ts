import type { Db } from '../../platform/database/db.ts'
import { messageOf } from '../../platform/errors.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { UploadStore } from './uploadStore.ts'

/** Until a file that could not be dropped is tried again. */
const retryMinutes = 10

/**
 * Drops those of the files that no upload has (`verification_stray_files`). One that cannot be dropped now is
 * tried again by `dropUploads`; without the key in its row it cannot be read.
 */
export async function dropFiles(
  ctx: { db: Db; uploads: UploadStore | null; log: Log },
  ids: readonly string[],
): Promise<void> {
  const { db, uploads, log } = ctx
  if (!uploads || ids.length === 0) return
  await db.tx(async (tx) => {
    // Waits for the transaction that gives a file to its upload.
    const strays = await tx.query<{ id: string }>(
      'select id from verification_stray_files where id = any($1) order by id for update',
      [ids],
    )
    const left: string[] = []
    for (const { id } of strays)
      await uploads.drop(id).catch((error: unknown) => {
        left.push(id)
        log.warn(
          { upload: id, err: messageOf(error) },
          'the file of an upload could not be dropped; trying again later',
        )
      })
    const dropped = strays.map(({ id }) => id).filter((id) => !left.includes(id))
    await tx.query('delete from verification_stray_files where id = any($1)', [dropped])
    await tx.query(
      "update verification_stray_files set drop_after = now() + $2 * interval '1 minute' where id = any($1)",
      [left, retryMinutes],
    )
  })
}
