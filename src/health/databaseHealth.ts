import type { Queryable } from '../platform/database/db.ts'
import { isRestored } from '../txmgr/restored.ts'

export interface DatabaseHealth {
  /** The last migration that ran. */
  migration: string | null
  /** Rows may miss what was sent: nothing is signed or sent. */
  isRestored: boolean
  /** The last close of the books. */
  close: { at: string; drifts: number } | null
}

export async function databaseHealth(db: Queryable): Promise<DatabaseHealth> {
  const [[migration], restored, [close]] = await Promise.all([
    db.query<{ name: string }>('select name from migrations order by name desc limit 1'),
    isRestored(db),
    db.query<{ at: Date; drifts: number }>(
      'select ended_at as at, drifts from ledger_closes order by id desc limit 1',
    ),
  ])
  return {
    migration: migration?.name ?? null,
    isRestored: restored,
    close: close ? { at: close.at.toISOString(), drifts: close.drifts } : null,
  }
}
