import { requireMigrated } from '../migrations/migrator.ts'
import { addressCodec, connectChain } from '../src/chains/family.ts'
import { configuredChains } from '../src/chains/registry.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { openDb } from '../src/platform/db.ts'
import { runProcess } from '../src/platform/process.ts'
import { createBell } from '../src/platform/wait.ts'
import { readCursor } from './cursor.ts'
import { followChain } from './indexer.ts'
import { createIndexerMetrics } from './indexerMetrics.ts'
import { lead } from './leader.ts'
import { loadWatchList } from './watchList.ts'

// npm run indexer -- <chain>: follows one chain. A second one for the same chain waits as a standby.

const name = process.argv[2] ?? ''

await runProcess(`indexer-${name}`, async ({ log, metrics, onStop, readyWhen, stop, stopping }) => {
  const config = readConfig(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_POOL', 'INDEXER_POLL_MS', 'RPC_TIMEOUT_MS'])
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const chain = chains.find((each) => each.name === name)
  if (!chain)
    throw new ConfigError(
      `Usage: npm run indexer -- <chain>, where <CHAIN>_RPC_URLS is set. Configured: ${chains.map((c) => c.name).join(', ') || 'none'}`,
    )

  const db = openDb(config.DATABASE_URL, config.DATABASE_POOL)
  onStop(() => db.close())
  await requireMigrated(db)
  readyWhen({ name: 'database', check: async () => void (await db.query('select 1')) })

  const indexerMetrics = createIndexerMetrics(metrics, chain.name)
  const connection = connectChain(chain, { timeoutMs: config.RPC_TIMEOUT_MS, observe: indexerMetrics, log })
  onStop(() => connection.close())

  const leadership = await lead(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, chain.name, stopping, () =>
    log.info('another indexer leads; standing by'),
  )
  if (!leadership) return
  onStop(() => leadership.close())
  const watches = await loadWatchList(leadership.direct, chain.family, chain.name)
  indexerMetrics.watch(watches)
  const cursor = await readCursor(db, chain.name)
  log.info({ epoch: leadership.epoch.toString(), cursor: cursor?.height ?? null, watches: watches.size }, 'leading')

  const bell = createBell()
  const listening = connection.listen(() => bell.ring(), stopping)
  const following = followChain(
    {
      db,
      chain,
      epoch: leadership.epoch,
      codec: addressCodec(chain.family),
      reader: connection.reader,
      watches,
      metrics: indexerMetrics,
      log,
      bell,
      pollMs: config.INDEXER_POLL_MS,
      signal: stopping,
    },
    cursor,
    chain.startBlock,
  ).catch((error: Error) => {
    log.fatal({ err: error }, 'the indexer cannot go on')
    stop(error)
  })
  void leadership.direct.lost.then((error) => stop(error))
  // First to end, last to have begun: the block in hand is finished before its connections close.
  onStop(async () => {
    await following
    await listening
  })
})
