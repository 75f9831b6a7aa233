import { readdirSync } from 'node:fs'
import { DataTypes, QueryTypes } from 'sequelize'
import { SequelizeStorage, Umzug } from 'umzug'
import type { Db, Queryable } from '../src/platform/db.ts'

interface Migration {
  up(db: Queryable): Promise<void>
  down(db: Queryable): Promise<void>
}

const folder = import.meta.dirname

export const migrationNames: readonly string[] = readdirSync(folder)
  .filter((file) => /^\d{4}-[^.]+\.ts$/.test(file))
  .sort()
  .map((file) => file.replace(/\.ts$/, ''))

/** Migrations of this checkout against the database of `db`; each runs in a transaction of its own. */
export function createMigrator(db: Db): Umzug<Db> {
  return new Umzug({
    context: db,
    logger: undefined,
    storage: new SequelizeStorage({
      sequelize: db.sequelize,
      modelName: 'migrations',
      model: db.sequelize.define('migrations', { name: { type: DataTypes.STRING, primaryKey: true } }, { timestamps: false }),
    }),
    migrations: migrationNames.map((name) => {
      const load = async () => (await import(`${folder}/${name}.ts`)) as Migration
      return {
        name,
        up: async () => db.tx(async (tx) => (await load()).up(tx)),
        down: async () => db.tx(async (tx) => (await load()).down(tx)),
      }
    }),
  })
}

/** For readiness: @throws when the database was not migrated by exactly this checkout. */
export async function requireMigrated(db: Db): Promise<void> {
  const rows = await db.sequelize.query<{ name: string }>('select name from migrations order by name', { type: QueryTypes.SELECT })
  const have = rows.map((row) => row.name)
  const missing = migrationNames.filter((name) => !have.includes(name))
  const unknown = have.filter((name) => !migrationNames.includes(name))
  if (missing.length > 0) throw new Error(`not migrated: ${missing.join(', ')} missing; run npm run migrate`)
  if (unknown.length > 0) throw new Error(`migrated by a newer version: ${unknown.join(', ')}`)
}
