import { DataTypes } from 'sequelize'
import { SequelizeStorage, Umzug } from 'umzug'
import type { Queryable } from '../src/platform/db.ts'
import type { ModelDb } from '../src/platform/modelDb.ts'
import { migrationNames } from './migrated.ts'

interface Migration {
  up(db: Queryable): Promise<void>
  down(db: Queryable): Promise<void>
}

/** Migrations of this checkout for the database of `db`; each runs in its own transaction. */
export function createMigrator(db: ModelDb): Umzug<ModelDb> {
  return new Umzug({
    context: db,
    logger: undefined,
    storage: new SequelizeStorage({
      sequelize: db.sequelize,
      modelName: 'migrations',
      model: db.sequelize.define('migrations', { name: { type: DataTypes.STRING, primaryKey: true } }, { timestamps: false }),
    }),
    migrations: migrationNames.map((name) => {
      const load = async () => (await import(`${import.meta.dirname}/${name}.ts`)) as Migration
      return {
        name,
        up: async () => db.tx(async (tx) => (await load()).up(tx)),
        down: async () => db.tx(async (tx) => (await load()).down(tx)),
      }
    }),
  })
}
