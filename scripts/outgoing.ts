import { chainNames } from '../src/chains/registry.ts'
import { unsettledOutgoing } from '../src/outgoing/dueOutgoing.ts'
import { pauseOutgoing, readPauses, resumeOutgoing } from '../src/outgoing/pause.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { type Db, openDb } from '../src/platform/db.ts'

// npm run outgoing                            what is under way and not settled, the oldest first, and what is paused
// npm run outgoing -- pause <chain> <reason>  nothing is signed or sent on the chain from now on; what was sent is watched
// npm run outgoing -- resume <chain>

const say = (text: string) => process.stdout.write(`${text}\n`)
const usage = 'Usage: npm run outgoing [-- pause <chain> <reason> | -- resume <chain>]'

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}

async function run([command, chain = '', ...reason]: string[]): Promise<void> {
  const isChain = (chainNames as readonly string[]).includes(chain)
  const isRight = command === undefined || (isChain && (command === 'resume' ? reason.length === 0 : command === 'pause' && reason.length > 0))
  if (!isRight) throw new ConfigError(usage)
  const db = openDb(readConfig(['DATABASE_URL']).DATABASE_URL, 1)
  try {
    if (command === 'pause') {
      await pauseOutgoing(db, chain, reason.join(' '))
      say(`${chain} is paused: nothing is signed or sent until it is resumed`)
    } else if (command === 'resume') say((await resumeOutgoing(db, chain)) ? `${chain} is resumed` : `${chain} was not paused`)
    else await list(db)
  } finally {
    await db.close()
  }
}

async function list(db: Db): Promise<void> {
  for (const pause of await readPauses(db)) say(`paused: ${pause.chain} since ${pause.pausedAt.toISOString()}: ${pause.reason}`)
  const rows = await unsettledOutgoing(db)
  for (const row of rows) {
    const sequence = row.sequence === null ? '' : ` #${row.sequence}`
    say(
      `${row.id}  ${row.createdAt.toISOString()}  ${row.chain}  ${row.from}${sequence}  ${row.signer}  ${row.status}  ${row.txId ?? '-'}  ${row.reason ?? ''}`,
    )
  }
  say(`${rows.length} not settled`)
}
