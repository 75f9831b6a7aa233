import { systemActor } from '../src/audit/recordAudit.ts'
import { type BridgeTransfer, readBridgeTransfers } from '../src/bridge/bridgeRow.ts'
import { endUnknownBurn } from '../src/bridge/endUnknownBurn.ts'
import { usdcDecimals } from '../src/bridge/settings.ts'
import { shownForm } from '../src/chains/codecs.ts'
import { formatUnits } from '../src/money/amount.ts'
import { readConfig } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { isUuid } from '../src/platform/ids.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const actor = systemActor('cowry bridge')
const maxListed = 200

const lists: Readonly<Record<string, string>> = {
  list: "status in ('pending', 'in_progress')",
  unknown: "status = 'pending' and delay = 'burn_unknown'",
  unburnt: 'unburnt is not null',
}

function workOf(
  [command = 'list', id = '', ...more]: string[],
  evidence: string,
): ((db: Db) => Promise<void>) | null {
  if (command === 'end') return isUuid(id) && more.length === 0 && evidence !== '' ? end(id, evidence) : null
  const where = Object.hasOwn(lists, command) ? lists[command] : undefined
  return where !== undefined && id === '' && evidence === '' ? list(where) : null
}

const list = (where: string) => async (db: Db) => {
  const rows = await readBridgeTransfers(db, `${where} order by id limit ${maxListed}`, [])
  for (const row of rows) say(lineOf(row))
  const [count] = await db.query<{ total: number }>(
    `select count(*)::int as total from bridge_transfers where ${where}`,
  )
  const total = count?.total ?? 0
  say(`${total} in all${total > rows.length ? `; the oldest ${rows.length} are shown` : ''}`)
}

function lineOf(row: BridgeTransfer): string {
  const route = `${row.sourceChain} > ${row.destinationChain}  ${shownForm(row.sourceAddress)}`
  const state = [row.status, row.delay ?? row.unburnt ?? '', row.sourceTxId ?? '']
    .filter((word) => word !== '')
    .join('  ')
  return `${row.id}  ${row.createdAt.toISOString()}  ${route}  ${formatUnits(row.amount, usdcDecimals)} USDC  ${state}`
}

const end = (id: string, evidence: string) => async (db: Db) => {
  const row = await db.tx((tx) => endUnknownBurn(tx, actor, id, evidence))
  say(`${id} has failed, and its business ${row.businessId} is notified: nothing was burnt by it`)
}

export const run = program('bridge', async (words, { evidence = '' }) => {
  const work = workOf(words, evidence.trim())
  if (!work) throw new UsageError()
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, work)
})
