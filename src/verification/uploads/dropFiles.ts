import { messageOf } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { UploadStore } from './uploadStore.ts'

/** Drops files whose rows are gone. One that cannot be dropped now is dropped by `dropUploads` later; it cannot be read without its key. */
export async function dropFiles(ctx: { uploads: UploadStore | null; log: Log }, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await ctx.uploads?.drop(id).catch((error: unknown) => {
      ctx.log.warn({ upload: id, err: messageOf(error) }, 'the file of an erased upload could not be dropped; trying again later')
    })
  }
}
