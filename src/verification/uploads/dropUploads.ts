import type { VerificationContext } from '../context.ts'
import { dropFiles } from './dropFiles.ts'

const atOnce = 500
const unusedHours = 24

/** Drops uploads that no verification used for a day, and files that have no row: of an upload that was cut, or of an erasure that was. */
export async function dropUploads(ctx: Pick<VerificationContext, 'db' | 'log' | 'uploads'>): Promise<void> {
  if (!ctx.uploads) return
  const unused = await ctx.db.query<{ id: string }>(
    `delete from verification_uploads where id in (select id from verification_uploads
       where verification_id is null and created_at < now() - $1 * interval '1 hour' order by created_at limit $2 for update skip locked) returning id`,
    [unusedHours, atOnce],
  )
  await dropFiles(
    ctx,
    unused.map(({ id }) => id),
  )
  const old = await ctx.uploads.olderThan(new Date(Date.now() - unusedHours * 3_600_000))
  for (let at = 0; at < old.length; at += atOnce) {
    const ids = old.slice(at, at + atOnce)
    const kept = await ctx.db.query<{ id: string }>('select id from verification_uploads where id = any($1)', [ids])
    const known = new Set(kept.map(({ id }) => id))
    await dropFiles(
      ctx,
      ids.filter((id) => !known.has(id)),
    )
  }
}
