import { readCursor } from '../indexers/cursor.ts'
import { type Reread, reread } from '../indexers/reread.ts'
import { revertPayments } from '../indexers/revertPayments.ts'
import { loadWatchList } from '../indexers/watchList.ts'
import { requireMigrated } from '../migrations/migrated.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import { connectChain } from '../src/chains/connect.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { openDb, openDirect } from '../src/platform/database/db.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { chainFromArguments } from './chainFromArguments.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

export const run = program('rescan', rescan)

/** @returns the exit code: 1 if recorded payments remain that the chain does not have, or if interrupted */
async function rescan(
  [name = '', first = '', last = '', ...rest]: string[],
  { revert = false }: { revert?: boolean | undefined },
): Promise<number> {
  const chain = chainFromArguments(name)
  const [from, to] = [first, last].map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN)) as [
    number,
    number,
  ]
  if (Number.isNaN(from) || Number.isNaN(to) || rest.length > 0) throw new UsageError('give two heights')
  if (from > to) throw new ConfigError(`The first height, ${from}, is above the last, ${to}`)
  const config = readConfig(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'RPC_TIMEOUT_MS', 'LOG_LEVEL'])
  const log = createLog(`rescan-${name}`, config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL)
  const db = openDb(config.DATABASE_URL, 2)
  const direct = await openDirect(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, `cowry rescan ${name}`)
  const connection = await connectChain(chain, {
    timeoutMs: config.RPC_TIMEOUT_MS,
    observe: { called: () => {}, refused: () => {} },
    log,
  })
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  try {
    await requireMigrated(db)
    const cursor = await readCursor(db, chain.name)
    if (!cursor || cursor.height < to)
      throw new ConfigError(
        `${name} was read up to ${cursor ? cursor.height : 'nowhere yet'}: choose heights at or below that`,
      )
    await connection.reader.verify()
    const watches = await loadWatchList(direct, chain.family, chain.name)
    const ctx = { db, chain, codec: addressCodec(chain.family), reader: connection.reader, watches }
    const total: Reread = { blocks: 0, found: 0, known: 0, unsupported: [] }
    const started = Date.now()
    let reportedAt = started
    await reread(
      ctx,
      { from, to },
      'again',
      (piece) => {
        total.blocks += piece.blocks
        total.found += piece.found
        total.known += piece.known
        total.unsupported.push(...piece.unsupported)
        if (Date.now() - reportedAt < 2000) return
        reportedAt = Date.now()
        const left = ((reportedAt - started) / total.blocks) * (to - piece.to)
        say(
          `  up to ${piece.to} of ${to}; ${total.found} new payments; about ${Math.ceil(left / 1000)} s left`,
        )
      },
      stopping.signal,
    )
    for (const each of total.unsupported)
      say(`  recorded, but not on the chain: ${each.txId} ${each.movementKey} in block ${each.height}`)
    say(
      `${name}: ${total.blocks} blocks read again${stopping.signal.aborted ? ' before it was interrupted' : ''}, ${total.found} new payments, ${total.known} known ones, ${total.unsupported.length} recorded that the chain does not have`,
    )
    if (revert && total.unsupported.length > 0) {
      say(`${name}: ${await revertPayments(ctx, total.unsupported)} payments taken back`)
      say(`${name}: ${await rereadReverted(ctx, total.unsupported, stopping.signal)} found in their place`)
      return stopping.signal.aborted ? 1 : 0
    }
    if (total.unsupported.length > 0) say('  Check them; --revert reverts them.')
    return total.unsupported.length > 0 || stopping.signal.aborted ? 1 : 0
  } finally {
    await Promise.all([connection.close(), direct.close(), db.close()])
  }
}

/** A wrong payment may exist with another amount: reads the blocks of reverted payments once more. */
async function rereadReverted(
  ctx: Parameters<typeof reread>[0],
  reverted: Reread['unsupported'],
  signal: AbortSignal,
): Promise<number> {
  let found = 0
  const add = (piece: Reread) => {
    found += piece.found
  }
  for (const height of new Set(reverted.map((each) => each.height)))
    await reread(ctx, { from: height, to: height }, 'again', add, signal)
  return found
}
