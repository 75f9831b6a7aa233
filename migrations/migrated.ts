import { readdirSync } from 'node:fs'
import type { Db } from '../src/platform/db.ts'

export const migrationNames: readonly string[] = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{4}-[^.]+\.ts$/.test(file))
  .sort()
  .map((file) => file.replace(/\.ts$/, ''))

/** For readiness. @throws when the applied migrations differ from those of this checkout */
export async function requireMigrated(db: Db): Promise<void> {
  const rows = await db.query<{ name: string }>('select name from migrations order by name')
  const have = rows.map((row) => row.name)
  const missing = migrationNames.filter((name) => !have.includes(name))
  const unknown = have.filter((name) => !migrationNames.includes(name))
  if (missing.length > 0) throw new Error(`not migrated: ${missing.join(', ')} missing; run npm run migrate`)
  if (unknown.length > 0) throw new Error(`migrated by a newer version: ${unknown.join(', ')}`)
}
