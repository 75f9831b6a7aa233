import { requireMigrated } from '../migrations/migrated.ts'
import { rollWalletKey } from '../src/custody/rollWalletKey.ts'
import { keyProviderSettings } from '../src/custody/settings.ts'
import { readConfigOf, readSettings } from '../src/platform/config.ts'
import { openDb } from '../src/platform/database/db.ts'
import { keyProviderOf } from '../treasury/keyProvider.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'

export const run = program('roll-wallet-key', async (args) => {
  if (args.length > 0) throw new UsageError()
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
