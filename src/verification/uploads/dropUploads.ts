import type { VerificationContext } from '../context.ts'
import { dropFiles } from './dropFiles.ts'
import { dropRows } from './dropRows.ts'

const atOnce = 500
const unusedHours = 24

/**
 * Drops uploads that no verification used for a day, and files that no upload has: of a body that was cut, or
 * of an erasure.
 */
export async function dropUploads(
  ctx: Pick<VerificationContext, 'db' | 'log' | 'uploads'>,
  stopping?: AbortSignal,
): Promise<void> {
  if (!ctx.uploads) return
  // A row that another process works on is left to it.
  while (!stopping?.aborted && (await dropUnused(ctx)) === atOnce) {}
  while (!stopping?.aborted && (await dropStrays(ctx)) === atOnce) {}
}

async function dropUnused({ db }: Pick<VerificationContext, 'db'>): Promise<number> {
  const unused = `id in (select id from verification_uploads
    where verification_id is null and created_at < now() - $1 * interval '1 hour' order by created_at limit $2 for update skip locked)`
  const gone = await dropRows(db, unused, [unusedHours, atOnce])
  return gone.length
}

/** @returns how many were due: those that could not be dropped are not due any more */
async function dropStrays(ctx: Pick<VerificationContext, 'db' | 'log' | 'uploads'>): Promise<number> {
  const due = await ctx.db.query<{ id: string }>(
    'select id from verification_stray_files where drop_after <= now() order by drop_after limit $1 for update skip locked',
    [atOnce],
  )
  await dropFiles(
    ctx,
    due.map(({ id }) => id),
  )
  return due.length
}
