import { type Close, closeLedger, verifyLedger } from '../src/ledger/closeLedger.ts'
import type { ComparedChain } from '../src/ledger/comparedChains.ts'
import type { LedgerDrift } from '../src/ledger/drift.ts'
import { isClose, readCloses, readDrifts } from '../src/ledger/readCloses.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { counted } from './counted.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Each returns false where something does not agree. */
const works: Readonly<Record<string, (db: Db, id: string | undefined) => Promise<boolean>>> = {
  async close(db) {
    const closed = await closeLedger({ db }, 'now')
    if (!closed)
      throw new ConfigError('another process closes the ledger now: try again when it has finished')
    say(linesOf(closed.close))
    return report(closed.drifts)
  },
  async closes(db, id) {
    if (id !== undefined) {
      if (!(await isClose(db, id))) throw new ConfigError(`there is no close ${id}`)
      return report(await readDrifts(db, id))
    }
    const closes = await readCloses(db, 30)
    for (const close of closes) say(linesOf(close))
    if (closes.length === 0) say('The ledger was not closed yet: a worker closes it daily.')
    return (closes[0]?.drifts ?? 0) === 0
  },
  verify: async (db) => report(await db.snapshot((tx) => verifyLedger(tx))),
}

export const run = program('ledger', async ([command = '', id, ...more]) => {
  const work = works[command]
  if (!work || more.length > 0 || (id !== undefined && (command !== 'closes' || !/^[1-9]\d{0,17}$/.test(id))))
    throw new UsageError()
  let code = 0
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, async (db) => {
    code = (await work(db, id)) ? 0 : 1
  })
  return code
})

function linesOf({ id, endedAt, startedAt, entries, lastPosition, lastHash, drifts, chains }: Close): string {
  const seconds = ((endedAt.getTime() - startedAt.getTime()) / 1000).toFixed(1)
  const line = `close ${id}  ${endedAt.toISOString()}  ${seconds} s  ${entries} entries of ${lastPosition}  ${lastHash}  ${drifts === 0 ? 'sound' : counted(drifts, 'difference')}`
  return [line, ...chains.map(lineOfChain)].join('\n')
}

function lineOfChain({ chain, checkId, checkedAt, height, drifts, isOverdue }: ComparedChain): string {
  const late = isOverdue ? ', not since the close before' : ''
  if (!checkedAt) return `  ${chain}: never compared${late}`
  const at = height === null ? '' : ` as of block ${height}`
  return `  ${chain}: check ${checkId} at ${checkedAt.toISOString()}${at}, ${drifts ? counted(drifts, 'difference') : 'no differences'}${late}`
}

function report(drifts: readonly LedgerDrift[]): boolean {
  for (const { kind, subject, expected, found } of drifts)
    say(`${kind}  ${subject}: expected ${expected}, found ${found}`)
  if (drifts.length === 0) say('No differences.')
  return drifts.length === 0
}
