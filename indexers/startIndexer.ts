import { requireMigrated } from '../migrations/migrated.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import { connectChain } from '../src/chains/connect.ts'
import { type ConfiguredChain, staleAfterMs } from '../src/chains/registry.ts'
import type { ComputeThreads } from '../src/platform/computeThreads.ts'
import { readConfigOf } from '../src/platform/config.ts'
import { isDatabaseAway } from '../src/platform/database/databaseAway.ts'
import { warnOfRights } from '../src/platform/database/databaseRights.ts'
import {
  openDb,
  openDirect,
  refuseWrongAddress,
  requireWritable,
  timesOf,
} from '../src/platform/database/db.ts'
import { messageOf } from '../src/platform/errors.ts'
import type { ProcessContext } from '../src/platform/process.ts'
import { processVariables } from '../src/platform/processVariables.ts'
import { createBell } from '../src/platform/wait.ts'
import { crossCheckPayments } from './crossCheck.ts'
import { FencedError, finalizedEver, readCursor } from './cursor.ts'
import { fillGaps } from './fillGaps.ts'
import { createReportedFinality, followFinality } from './finality.ts'
import { createReportedHead } from './heads.ts'
import { importBlocks } from './importBlocks.ts'
import { type FollowContext, followChain } from './indexer.ts'
import { createIndexerMetrics } from './indexerMetrics.ts'
import { readForLateWatches } from './lateWatches.ts'
import { lead, watchForFreeze } from './leader.ts'
import { reconcileBalances } from './reconcileBalances.ts'
import { reportHealth } from './reportHealth.ts'
import { createTip } from './tip.ts'
import { watchTip } from './watchdog.ts'
import { loadWatchList } from './watchList.ts'

/**
 * Starts the indexer of one chain. A second process for the same chain is its hot standby.
 * @param threads shared with other chains of this process
 */
export async function startIndexer(
  { log, metrics, priority, onStop, readyWhen, stop, stopping }: ProcessContext,
  chain: ConfiguredChain,
  threads: ComputeThreads,
): Promise<void> {
  const config = readConfigOf('indexer', processVariables.indexer)
  const db = openDb(config.DATABASE_URL, config.DATABASE_POOL, timesOf(config))
  onStop(() => db.close())
  await refuseWrongAddress(config, timesOf(config).waitMs)
  // Before the watch list is loaded: an indexer that lost the database tries again each second.
  await requireWritable(db)
  await requireMigrated(db)
  await warnOfRights(db, log)
  readyWhen({ name: 'database', check: () => requireWritable(db) })

  const indexerMetrics = createIndexerMetrics(metrics, chain.name)
  const connection = await connectChain(chain, {
    timeoutMs: config.RPC_TIMEOUT_MS,
    crossCheckMs: config.INDEXER_CROSS_CHECK_MS,
    readBytes: config.INDEXER_READ_BYTES,
    observe: indexerMetrics.observer,
    log,
    turn: indexerMetrics.yielding(priority),
    threads,
  })
  onStop(() => connection.close())
  indexerMetrics.providers(connection.providers)

  const direct = await openDirect(
    config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    `cowry indexer ${chain.name}`,
  )
  onStop(() => direct.close())
  const freeze = watchForFreeze()
  onStop(async () => freeze.end())
  // A process that was frozen must not lead again by itself: it may be frozen again.
  const causeOf = (error: Error) => (freeze.wasFrozen() ? new FencedError(chain.name) : error)
  void direct.lost.then((error) => stop(causeOf(error)))
  const watches = await loadWatchList(direct, chain.family, chain.name)
  indexerMetrics.watch(watches)
  // Verify the providers before the first block, so that the best one reads it.
  await connection.reader
    .verify()
    .catch((error) => log.warn({ err: messageOf(error) }, 'no provider can be reached yet'))

  const giveUp = (error: Error) => {
    if (stopping.aborted) return
    const cause = causeOf(error)
    if (isDatabaseAway(cause)) log.warn({ err: cause.message }, 'the database is away')
    else log.fatal({ err: error }, 'the indexer stops: it cannot continue')
    stop(cause)
  }
  const running = (async () => {
    let standing = false
    const leadership = await lead(direct, chain.name, stopping, async () => {
      if (!standing) log.info({ watches: watches.size }, 'another indexer leads; standing by')
      standing = true
      await watches.readTail()
    })
    if (!leadership) return
    const cursor = await readCursor(db, chain.name)
    indexerMetrics.leads(db)
    log.info(
      { epoch: leadership.epoch.toString(), cursor: cursor?.height ?? null, watches: watches.size },
      'leading',
    )

    const reported = createReportedHead(chain.blockMs)
    const bell = createBell()
    const tip = createTip(staleAfterMs(chain))
    indexerMetrics.tip(tip)
    const ctx: FollowContext = {
      db,
      chain,
      epoch: leadership.epoch,
      codec: addressCodec(chain.family),
      reader: connection.reader,
      watches,
      metrics: indexerMetrics,
      log,
      bell,
      reported,
      inFlight: { done: Promise.resolve() },
      finality: createReportedFinality(await finalizedEver(db, chain.name)),
      tip,
      pollMs: config.INDEXER_POLL_MS,
      crossCheckMs: config.INDEXER_CROSS_CHECK_MS,
      balancesMs: config.INDEXER_BALANCES_MS,
      signal: stopping,
    }
    const listening = connection.listen((head) => {
      reported.report(head)
      bell.ring()
    }, stopping)
    const loops = [
      followChain(ctx, cursor, chain.startBlock),
      followFinality(ctx),
      crossCheckPayments(ctx),
      fillGaps(ctx, chain.startBlock),
      importBlocks(ctx),
      readForLateWatches(ctx),
      reconcileBalances(ctx),
      watchTip(ctx, tip),
      reportHealth(ctx, tip, connection.providers),
      listening,
    ]
    // The first failure stops the other loops. Wait for all: a later run must not overlap with them.
    await Promise.all(loops.map((loop) => loop.catch(giveUp)))
    leadership.close()
  })().catch(giveUp)
  // Registered last, so it ends first: the block in hand is finished before its connections close.
  onStop(async () => {
    await running
    indexerMetrics.ended()
  })
}
