import { readdirSync } from 'node:fs'
import type { Db } from '../src/platform/database/db.ts'

export const migrationNames: readonly string[] = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{4}-[^.]+\.ts$/.test(file))
  .sort()
  .map((file) => file.replace(/\.ts$/, ''))

/**
 * A recorded step; `expands` as in `Migration`. In a database that an earlier version migrated, the column is
 * missing.
 */
interface Recorded {
  name: string
  expands: boolean
}

const recordedSql = `select name, coalesce((to_jsonb(migrations) ->> 'expands')::boolean, false) as expands from migrations order by name`

const isLater = ({ name }: Recorded): boolean => !migrationNames.includes(name)

/** Steps of a later version that are there. */
export const laterSteps = async (db: Db): Promise<string[]> =>
  (await db.query<Recorded>(recordedSql)).filter(isLater).map(({ name }) => name)

/**
 * For readiness: this version may work with the database. Steps of a later version may be there if each of
 * them expands only.
 * @throws when steps of this version are missing, or a later one changed what this version uses
 */
export async function requireMigrated(db: Db): Promise<void> {
  const have = await db.query<Recorded>(recordedSql)
  const missing = migrationNames.filter((name) => !have.some((row) => row.name === name))
  const later = have.filter((row) => isLater(row) && !row.expands).map(({ name }) => name)
  if (missing.length > 0)
    throw new Error(`not migrated: ${missing.join(', ')} missing; run npm run cowry -- migrate`)
  if (later.length > 0) throw new Error(`migrated by a newer version: ${later.join(', ')}`)
}
