import { createIndexerMetrics, type IndexerMetrics } from '../../../indexers/indexerMetrics.ts'
import { businessModel } from '../../../src/accounts/models.ts'
import { addressCodec } from '../../../src/chains/codecs.ts'
import { keyDerivers } from '../../../src/chains/keyDerivers.ts'
import { assetsOf, type ConfiguredChain } from '../../../src/chains/registry.ts'
import { fillPool } from '../../../src/custody/depositPool.ts'
import { envKeyProvider } from '../../../src/custody/keyProvider.ts'
import { openSeed } from '../../../src/custody/seed.ts'
import { newId } from '../../../src/platform/ids.ts'
import { createLog } from '../../../src/platform/log.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { Secret } from '../../../src/platform/secrets.ts'
import { watchAccount } from '../../../src/suspense/watchAccount.ts'
import { seeded } from '../../faults/random.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { seedKey } from '../../support/template.ts'
import { checkDetections, inSuspense } from './checks.ts'
import type { Dialect } from './dialect.ts'
import { finish } from './finish.ts'
import type { History } from './histories.ts'
import { startLeader } from './leader.ts'
import { round } from './rounds.ts'
import { take } from './steps.ts'
import { agoMs, createTree, firstHeight } from './tree.ts'
import { makeSession, type World } from './world.ts'

/** Where histories of one family are lived, one after the other. */
export interface Stage {
  dialect: Dialect
  database: TestDatabase
  /** The family's deposit addresses, in the order in which sessions take them. */
  addresses: string[]
  metrics: IndexerMetrics
  /** How often each turn was taken, over all histories. */
  turns: Map<string, number>
}

/** Blocks below the first that a configured start names. */
const prehistory = 4
/** More than a history makes sessions. */
const maxSessions = 60
const log = createLog('test', 'silent')

export async function openStage(dialect: Dialect): Promise<Stage> {
  const database = await createTestDatabase(8)
  const { db } = database
  const seed = await openSeed({ db, keyProvider: envKeyProvider(new Secret(seedKey)) })
  await fillPool({ db, deriver: keyDerivers[dialect.family], seed }, dialect.family, maxSessions)
  const rows = await db.query<{ address: string }>('select address from deposit_addresses where family = $1 order by index', [dialect.family])
  const metrics = createIndexerMetrics(createMetrics('test'), dialect.chain(1).name)
  return { dialect, database, addresses: rows.map(({ address }) => address), metrics, turns: new Map() }
}

export interface Lived {
  /** A fork took back what was seen. */
  takenBack: boolean
  /** And some of that was in the books. */
  creditedReverted: boolean
}

/** An empty world, of which nothing was read yet: it has no leader. */
export async function newWorld(stage: Stage, chain: ConfiguredChain, fromHead: boolean): Promise<Omit<World, 'leader'>> {
  const { dialect, database, addresses, metrics } = stage
  const { db } = database
  await db.query(
    `truncate detections, transfers, blocks, outbox, chain_cursors, session_payments, suspense_payments, monitored_movements, pos_sessions, monitored_addresses, watches,
       webhook_attempts, webhook_deliveries, events, event_sequences`,
  )
  await db.query('update deposit_addresses set taken_at = null where taken_at is not null and family = $1', [dialect.family])
  // The books are append-only: each history has a business of its own.
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
  const before = await Promise.all(assetsOf(chain).map(async ({ symbol }) => [symbol, await inSuspense({ db, chain }, symbol)] as const))
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
    takenBack: false,
    creditedReverted: false,
    count: (what, by = 1) => void stage.turns.set(what, (stage.turns.get(what) ?? 0) + by),
  }
}

/** Lives a history, compares what is written with what the chain says wherever that can be said, and at its end altogether. */
export async function live(stage: Stage, history: History): Promise<Lived> {
  const { db } = stage.database
  const led = (await newWorld(stage, stage.dialect.chain(history.confirmations), history.fromHead)) as World
  const { count } = led
  const dice = seeded(history.steps[0]?.seed ?? 0)
  led.leader = await startLeader(led)
  try {
    await round(led)
    // No session is taken before the first block was read.
    await makeSession(led, dice)
    await makeSession(led, dice)
    for (const step of history.steps) {
      await take(led, step)
      if (await checkDetections(led)) count('compared on the way')
    }
    await finish(led, dice)
    const [revived] = await db.query<{ count: number }>('select count(*)::int as count from detections where generation > 1')
    if (revived?.count) count('a block came back with a payment')
    if (led.takenBack) count('taken back by a fork')
    return led
  } finally {
    for (const each of [...led.frozen, led.leader]) await each.end()
    await led.leader.loseSession()
  }
}

/** As the treasury does where addresses share an account. */
async function watchSuspense({ dialect: { family, undirected }, database: { db }, addresses }: Stage): Promise<World['suspense']> {
  const [account, ...others] = undirected(addresses)
  if (account === undefined) return null
  await watchAccount({ db, codec: addressCodec(family) }, family, account)
  const [watch] = await db.query<{ id: string }>("select subject_id as id from watches where purpose = 'suspense' and family = $1", [family])
  if (!watch) throw new Error('nobody watches the account')
  return { subjectId: watch.id, addresses: new Set([account, ...others]) }
}

/** What happened, for whoever reads the output of the test. */
export const turnsOf = ({ turns }: Stage): string =>
  [...turns.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([turn, times]) => `  ${turn}: ${times}`)
    .join('\n')
