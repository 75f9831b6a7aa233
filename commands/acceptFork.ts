import type { CommitContext } from '../indexers/context.ts'
import { type Cursor, readCursor } from '../indexers/cursor.ts'
import { type ForkReader, fencedForFork, forkOf, type ProviderFork } from '../indexers/forks.ts'
import { rewindIn } from '../indexers/rewind.ts'
import { requireMigrated } from '../migrations/migrated.ts'
import { recordAudit, systemActor } from '../src/audit/recordAudit.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import { connectChain } from '../src/chains/connect.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { openDb } from '../src/platform/database/db.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { chainFromArguments } from './chainFromArguments.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

export const run = program('accept-fork', main)

async function main(
  [name = '', at, ...reason]: string[],
  { force = false }: { force?: boolean | undefined },
): Promise<void> {
  const chain = chainFromArguments(name)
  if (at === undefined ? force : !/^\d{1,15}$/.test(at) || reason.length === 0)
    throw new UsageError('give a height, and the reason for the audit log')
  const config = readConfig(['DATABASE_URL', 'RPC_TIMEOUT_MS', 'LOG_LEVEL'])
  const log = createLog(`accept-fork-${name}`, config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL)
  const db = openDb(config.DATABASE_URL, 2)
  const connection = await connectChain(chain, {
    timeoutMs: config.RPC_TIMEOUT_MS,
    observe: { called: () => {}, refused: () => {} },
    log,
  })
  try {
    await requireMigrated(db)
    const cursor = await readCursor(db, name)
    if (!cursor) throw new ConfigError(`no block of ${name} has been read yet`)
    await connection.reader.verify()
    const ctx = { db, chain, codec: addressCodec(chain.family), reader: connection.reader }
    const sources = connection.providers().map((each) => each.name)
    const forks = await compare(ctx, cursor, sources)
    if (at !== undefined) await goBack(ctx, cursor, forks, Number(at), reason.join(' '), force)
  } finally {
    await Promise.all([connection.close(), db.close()])
  }
}

async function compare(
  ctx: CommitContext & ForkReader,
  cursor: Cursor,
  sources: readonly string[],
): Promise<ProviderFork[]> {
  const forks: ProviderFork[] = []
  say(`${ctx.chain.name}: read up to block ${cursor.height}`)
  for (const source of sources) {
    const fork = await forkOf(ctx, cursor, source)
    forks.push(fork)
    if (!fork.answers) say(`  ${source}: does not answer`)
    else if (fork.common === null) say(`  ${source}: has no stored block`)
    else if (fork.common.height === cursor.height) say(`  ${source}: has all stored blocks`)
    else if (fork.isOther)
      say(
        `  ${source}: has ours up to block ${fork.common.height}, and another block ${fork.common.height + 1}`,
      )
    else say(`  ${source}: has all stored blocks up to its head, ${fork.common.height}`)
  }
  return forks
}

async function goBack(
  ctx: CommitContext & ForkReader,
  cursor: Cursor,
  forks: readonly ProviderFork[],
  height: number,
  reason: string,
  force: boolean,
): Promise<void> {
  const { name } = ctx.chain
  if (height >= cursor.height)
    throw new ConfigError(`${name} was read up to ${cursor.height}: choose a block below that`)
  const silent = forks.find(({ answers }) => !answers)
  if (silent)
    throw new ConfigError(
      `${silent.source} does not answer: try again, or remove that provider from the configuration`,
    )
  const other = forks.find(({ common }) => common === null || common.height < height)
  if (other)
    throw new ConfigError(
      `${other.source} does not have our block ${height}: choose a lower one, or remove that provider from the configuration`,
    )
  if (!force && forks.every(({ isOther }) => !isOther))
    throw new ConfigError(
      `${name} has not forked: no provider has other blocks than the stored ones. To rewind anyway, add --force`,
    )
  const taken = await ctx.db.tx(async (tx) => {
    const { epoch, id, finalizedBefore } = await fencedForFork(tx, name, height)
    const before = { height: cursor.height, finalizedHeight: finalizedBefore }
    const entry = {
      businessId: null,
      action: 'chain.fork_accepted',
      target: name,
      before,
      after: { height, reason },
    }
    await recordAudit(tx, systemActor('cowry accept-fork'), entry)
    return rewindIn({ ...ctx, epoch }, tx, { height, id })
  })
  say(`${name}: went back to block ${height}; ${taken} detections reverted`)
}
