import type { Db } from './db.ts'

/** Rows per statement. */
const pieceSize = 1000

/**
 * Deletes expired stored answers, in pieces.
 * @returns the number of deleted answers
 */
export async function forgetAnswers(db: Db): Promise<number> {
  let deleted = 0
  for (;;) {
    const rows = await db.query(
      `delete from idempotency_keys where (business_id, key) in (
         select business_id, key from idempotency_keys where expires_at <= now() limit $1 for update skip locked) returning 1`,
      [pieceSize],
    )
    deleted += rows.length
    if (rows.length < pieceSize) return deleted
  }
}
