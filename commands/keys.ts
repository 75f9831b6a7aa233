import { unconfirmedKeys } from '../src/apiKeys/unconfirmedKeys.ts'
import { readConfig } from '../src/platform/config.ts'
import { openDb } from '../src/platform/database/db.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

export const run = program('keys', async ([command, ...more]) => {
  if (command !== 'unconfirmed' || more.length > 0) throw new UsageError()
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
