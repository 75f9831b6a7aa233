import { unconfirmedKeys } from '../src/apiKeys/unconfirmedKeys.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { openDb } from '../src/platform/database/db.ts'
import { runCommand } from '../src/platform/runCommand.ts'

// npm run keys -- unconfirmed   lists the keys that sent from stored wallets before the permission
// wallets:send existed, and who can confirm them

const usage = 'Usage: npm run keys -- unconfirmed'
const say = (text: string) => process.stdout.write(`${text}\n`)

await runCommand({ usage }, async ([command, ...more]) => {
  if (command !== 'unconfirmed' || more.length > 0) throw new ConfigError(usage)
  const { DATABASE_URL } = readConfig(['DATABASE_URL'])
  const db = openDb(DATABASE_URL, 1)
  try {
    const keys = await unconfirmedKeys(db)
    for (const { business, prefix, name, sentAt, owners } of keys)
      say(
        `${business}: ${prefix}… (${name}), last sent ${sentAt.toISOString()}; owners: ${owners.join(', ') || 'no owner'}`,
      )
    say(
      keys.length === 0
        ? 'No key waits for confirmation.'
        : 'They are refused with insufficient_permission until an owner confirms them in the dashboard, under Settings, API keys.',
    )
  } finally {
    await db.close()
  }
})
