import { createIndexerMetrics, type IndexerMetrics } from '../../../indexers/indexerMetrics.ts'
import { businessModel } from '../../../src/businesses/model.ts'
import { addressCodec } from '../../../src/chains/codecs.ts'
import { keyDerivers } from '../../../src/chains/keyDerivers.ts'
import { assetsOf, type ConfiguredChain } from '../../../src/chains/registry.ts'
import { watchAccount } from '../../../src/corrections/watchAccount.ts'
import { fillPool } from '../../../src/custody/depositPool.ts'
import { envKeyProvider } from '../../../src/custody/keyProvider.ts'
import { openSeed } from '../../../src/custody/seed.ts'
import { newId } from '../../../src/platform/ids.ts'
import { Secret } from '../../../src/platform/secrets.ts'
import { createLog } from '../../../src/platform/telemetry/log.ts'
import { createMetrics } from '../../../src/platform/telemetry/metrics.ts'
import { seeded } from '../../faults/random.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { seedKey } from '../../support/template.ts'
import { checkDetections, inSuspense } from './checks.ts'
import type { Dialect } from './dialect.ts'
import { finish } from './finish.ts'
import type { History } from './histories.ts'
import { startLeader } from './leader.ts'
import { round } from './rounds.ts'
import { runStep } from './steps.ts'
import { agoMs, createTree, firstHeight } from './tree.ts'
import { makeSession, type World } from './world.ts'

/** The database and counters for one family's histories, which run one after the other. */
export interface Stage {
  dialect: Dialect
  database: TestDatabase
  /** The family's deposit addresses, in the order in which sessions take them. */
  addresses: string[]
  metrics: IndexerMetrics
  /** Occurrences of each event, over all histories. */
  eventCounts: Map<string, number>
}

/** Blocks below a configured start. */
const prehistory = 4
/** More sessions than a history creates. */
const maxSessions = 60
const log = createLog('test', 'silent')

export async function openStage(dialect: Dialect): Promise<Stage> {
  const database = await createTestDatabase(8)
  const { db } = database
  const seed = await openSeed({ db, keyProvider: envKeyProvider(new Secret(seedKey)) })
  await fillPool({ db, deriver: keyDerivers[dialect.family], seed }, dialect.family, maxSessions)
  const rows = await db.query<{ address: string }>(
    'select address from deposit_addresses where family = $1 order by index',
    [dialect.family],
  )
  const metrics = createIndexerMetrics(createMetrics('test'), dialect.chain(1).name)
  return { dialect, database, addresses: rows.map(({ address }) => address), metrics, eventCounts: new Map() }
}

export interface HistoryOutcome {
  /** A fork reverted a seen payment. */
  seenReverted: boolean
  /** And some of it was in the ledger. */
  creditedReverted: boolean
}

/** A new world without a leader: no block was read yet. */
export async function newWorld(
  stage: Stage,
  chain: ConfiguredChain,
  fromHead: boolean,
): Promise<Omit<World, 'leader'>> {
  const { dialect, database, addresses, metrics } = stage
  const { db } = database
  await db.query(
    `truncate collection_transfers, detections, transfers, blocks, outbox, chain_cursors, session_payments, suspense_payments, ledger_adjustments, refunds, outflow_ends, outflow_screenings, partner_top_ups, outflows, monitored_movements, till_sessions, payment_link_visits, taken_sums, taken_changes, pos_sessions, monitored_addresses, watches,
       webhook_attempts, webhook_deliveries, events, event_sequences`,
  )
  await db.query('update deposit_addresses set taken_at = null where taken_at is not null and family = $1', [
    dialect.family,
  ])
  // The ledger is append-only: each history has its own business.
  const business = await businessModel(db.sequelize).create({
    id: newId(),
    name: 'B',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
  let ticks = 0
  const tick = () => ++ticks
  const before = await Promise.all(
    assetsOf(chain).map(async ({ symbol }) => [symbol, await inSuspense({ db, chain }, symbol)] as const),
  )
  return {
    dialect,
    database,
    db,
    chain,
    business,
    tree: createTree(Date.now() - agoMs, tick, dialect),
    tick,
    addresses,
    suspense: await watchSuspense(stage),
    suspenseBefore: new Map(before),
    sessions: [],
    transactions: [],
    tracing: true,
    startAt: fromHead ? undefined : firstHeight + prehistory,
    metrics,
    log,
    frozen: [],
    seenReverted: false,
    creditedReverted: false,
    count: (what, by = 1) => void stage.eventCounts.set(what, (stage.eventCounts.get(what) ?? 0) + by),
  }
}

/**
 * Runs a history, and compares the database with the chain whenever the tip is reached, and completely at the
 * end.
 */
export async function runHistory(stage: Stage, history: History): Promise<HistoryOutcome> {
  const { db } = stage.database
  const world = (await newWorld(stage, stage.dialect.chain(history.confirmations), history.fromHead)) as World
  const { count } = world
  const dice = seeded(history.steps[0]?.seed ?? 0)
  world.leader = await startLeader(world)
  try {
    await round(world)
    // Sessions exist only after the first block was read.
    await makeSession(world, dice)
    await makeSession(world, dice)
    for (const step of history.steps) {
      await runStep(world, step)
      if (await checkDetections(world)) count('compared during the history')
    }
    await finish(world, dice)
    const [revived] = await db.query<{ count: number }>(
      'select count(*)::int as count from detections where generation > 1',
    )
    if (revived?.count) count('a block with a payment returned')
    if (world.seenReverted) count('reverted by a fork')
    return world
  } finally {
    for (const each of [...world.frozen, world.leader]) await each.end()
    await world.leader.loseSession()
  }
}

/** As the treasury does for chains with a shared account. */
async function watchSuspense({
  dialect: { family, undirected },
  database: { db },
  addresses,
}: Stage): Promise<World['suspense']> {
  const [account, ...others] = undirected(addresses)
  if (account === undefined) return null
  await watchAccount({ db, codec: addressCodec(family) }, family, account)
  const [watch] = await db.query<{ id: string }>(
    "select subject_id as id from watches where purpose = 'suspense' and family = $1",
    [family],
  )
  if (!watch) throw new Error('the account is not watched')
  return { subjectId: watch.id, addresses: new Set([account, ...others]) }
}

/** Counts of events, for the test's output. */
export const eventCountsOf = ({ eventCounts }: Stage): string =>
  [...eventCounts.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, times]) => `  ${name}: ${times}`)
    .join('\n')
