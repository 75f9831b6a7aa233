import type { Db } from '../platform/database/db.ts'
import { failpoint, type RollingFailpoint } from '../platform/failpoints.ts'
import type { Secret } from '../platform/secrets.ts'
import type { SealedColumn } from './sealedColumn.ts'
import { openBytes, opensWith, sealBytes } from './sealText.ts'

const batchSize = 100

export interface RolledColumn {
  table: string
  column: string
  rolled: number
  /** Ids of rows that no key of the configuration opens: they stay as they are. */
  unopened: string[]
}

/**
 * Seals every column with the application's key that is still sealed with its second one. Other processes may
 * write meanwhile: a row that changed since it was read is left to the next pass, and passes end when one
 * finds nothing more. Safe to repeat after an interruption.
 * @param appKey the new key, with the one before it
 */
export const rollAppKey = (
  { db, appKey }: { db: Db; appKey: Secret },
  columns: readonly SealedColumn[],
): Promise<RolledColumn[]> => rollColumns({ db, key: appKey, rolled: 'custody.app-key-rolled' }, columns)

/** As `rollAppKey`, of the keys that are sealed with the key of the verification area. */
export const rollVerifyKey = (
  { db, verifyKey }: { db: Db; verifyKey: Secret },
  columns: readonly SealedColumn[],
): Promise<RolledColumn[]> =>
  rollColumns({ db, key: verifyKey, rolled: 'custody.verify-key-rolled' }, columns)

interface RollContext {
  db: Db
  key: Secret
  rolled: RollingFailpoint
}

async function rollColumns(ctx: RollContext, columns: readonly SealedColumn[]): Promise<RolledColumn[]> {
  const rolled: RolledColumn[] = []
  for (const column of columns) {
    let total = 0
    for (;;) {
      const pass = await rollColumn(ctx, column)
      total += pass.rolled
      if (pass.rolled + pass.overtaken > 0) continue
      rolled.push({ table: column.table, column: column.column, rolled: total, unopened: pass.unopened })
      break
    }
  }
  return rolled
}

async function rollColumn(ctx: RollContext, { table, column, context }: SealedColumn) {
  const pass = { rolled: 0, overtaken: 0, unopened: [] as string[] }
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await ctx.db.query<{ id: string; sealed: Buffer }>(
      `select id, ${column} as sealed from ${table} where ${column} is not null and id > $1 order by id limit $2`,
      [after, batchSize],
    )
    for (const { id, sealed } of rows) {
      if (opensWith(ctx.key, context(id), sealed)) continue
      const bytes = tryOpen(ctx.key, context(id), sealed)
      if (bytes === null) {
        pass.unopened.push(id)
        continue
      }
      // Only if it is still what was read: no lock is needed, and no change is lost.
      const done = await ctx.db.query(
        `update ${table} set ${column} = $3 where id = $1 and ${column} = $2 returning id`,
        [id, sealed, sealBytes(ctx.key, context(id), bytes)],
      )
      failpoint(ctx.rolled)
      if (done.length > 0) pass.rolled++
      else pass.overtaken++
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return pass
    after = last.id
  }
}

function tryOpen(key: Secret, context: string, sealed: Buffer): Buffer | null {
  try {
    return openBytes(key, context, sealed)
  } catch {
    return null
  }
}
