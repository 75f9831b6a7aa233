import { requireMigrated } from '../migrations/migrated.ts'
import { rollWalletKey } from '../src/custody/rollWalletKey.ts'
import { keyProviderSettings } from '../src/custody/settings.ts'
import { ConfigError, readConfigOf, readSettings } from '../src/platform/config.ts'
import { openDb } from '../src/platform/database/db.ts'
import { runCommand } from '../src/platform/runCommand.ts'
import { keyProviderOf } from '../treasury/keyProvider.ts'

// npm run roll-wallet-key: makes a new key pair for stored wallets and reseals all of them to it. Needs the
// treasury's settings; the treasury may run meanwhile. If interrupted, the next run or the treasury's next
// start finishes it.

const usage = 'Usage: npm run roll-wallet-key'

await runCommand({ usage }, async (args) => {
  if (args.length > 0) throw new ConfigError(usage)
  const config = readConfigOf('treasury', ['DATABASE_URL'], process.env, [keyProviderSettings])
  const keyProvider = keyProviderOf(readSettings('treasury', keyProviderSettings))
  const db = openDb(config.DATABASE_URL, 2)
  try {
    await requireMigrated(db)
    const { resealed, unopened } = await rollWalletKey({ db, keyProvider })
    process.stdout.write(`${resealed} wallets are sealed to the new key\n`)
    for (const id of unopened) process.stderr.write(`wallet ${id} cannot be opened: it stays as it is\n`)
    if (unopened.length > 0) process.exitCode = 1
  } finally {
    await db.close()
  }
})
