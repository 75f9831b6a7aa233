import { setTimeout as delay } from 'node:timers/promises'
import { applyGrants, loginRoles } from '../migrations/applyGrants.ts'
import { laterSteps } from '../migrations/migrated.ts'
import { createMigrator } from '../migrations/migrator.ts'
import { setRetention } from '../src/audit/setRetention.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { type DirectConnection, openDb, openDirect, usualTimes } from '../src/platform/database/db.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

export const run = program('migrate', async ([direction, ...more]) => {
  if ((direction !== undefined && direction !== 'down') || more.length > 0) throw new UsageError()
  const isDown = direction === 'down'
  const config = readConfig([
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'API_DATABASE_URL',
    'WORKER_DATABASE_URL',
    'INDEXER_DATABASE_URL',
    'TREASURY_DATABASE_URL',
    'VERIFICATION_DATABASE_URL',
    'AUDIT_RETENTION_DAYS',
  ])
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  const roles = await loginRoles(url, {
    api: config.API_DATABASE_URL,
    worker: config.WORKER_DATABASE_URL,
    indexer: config.INDEXER_DATABASE_URL,
    treasury: config.TREASURY_DATABASE_URL,
    verification: config.VERIFICATION_DATABASE_URL,
  })
  const lock = await openDirect(url, 'cowry migrate')
  const db = openDb(url, 2, { ...usualTimes, statementMs: 0 })
  try {
    await waitForTurn(lock)
    const migrator = createMigrator(db, { taken: (name) => say(`${isDown ? 'back' : 'done'}  ${name}`) })
    const later = isDown ? await laterSteps(db) : []
    if (later.length > 0)
      throw new ConfigError(
        `a later version has added steps: ${later.join(', ')}\nGo back with that version first.`,
      )
    const taken = isDown ? await migrator.down() : await migrator.up()
    if (taken.length === 0) say('nothing to migrate')
    // Its processes may run already, with rights that this version does not know.
    if ((await laterSteps(db)).length > 0)
      return say('a later version has added steps: the rights of the roles are left as it set them')
    await applyGrants(db, roles)
    if (!isDown) await setRetention(db, config.AUDIT_RETENTION_DAYS ?? null)
    if (roles.length > 0) say(`roles  ${roles.map(({ role, name }) => `${role}: ${name}`).join(', ')}`)
    else
      say(
        'no process has its own database role: each has all rights of the owner of the tables (docs/database-roles.md)',
      )
  } finally {
    await db.close()
    await lock.close()
  }
})

/**
 * Of two that migrate at once, the second waits until the first has finished, then finds nothing to do. It
 * does not wait inside Postgres: the first may build an index while rows are written, which waits for all
 * snapshots.
 */
async function waitForTurn(lock: DirectConnection): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const [free] = await lock.query<{ got: boolean }>(
      "select pg_try_advisory_lock(hashtext('cowry-migrate')) as got",
    )
    if (free?.got) return
    if (isFirst) say('another process migrates this database: waiting for it')
    await delay(200)
  }
}
