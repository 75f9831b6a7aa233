import { ConfigError, readConfig } from '../src/platform/config.ts'
import { openDirect, usualTimes } from '../src/platform/db.ts'
import { openModelDb } from '../src/platform/modelDb.ts'
import { createMigrator } from './migrator.ts'

// npm run migrate             forward to the newest
// npm run migrate -- down     one step back

try {
  const config = readConfig(['DATABASE_URL', 'DATABASE_DIRECT_URL'])
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  const lock = await openDirect(url, 'cowry migrate')
  const db = openModelDb(url, 2, { ...usualTimes, statementMs: 0 })
  try {
    // Two that migrate at once: the second waits, then finds nothing to do.
    await lock.query("select pg_advisory_lock(hashtext('cowry-migrate'))")
    const migrator = createMigrator(db)
    const done = process.argv[2] === 'down' ? await migrator.down() : await migrator.up()
    process.stdout.write(
      done.length > 0 ? `${done.map((m) => `${process.argv[2] === 'down' ? 'back' : 'done'}  ${m.name}`).join('\n')}\n` : 'nothing to migrate\n',
    )
  } finally {
    await db.close()
    await lock.close()
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(2)
}
