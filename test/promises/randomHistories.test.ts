import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createIndexerMetrics } from '../../indexers/indexerMetrics.ts'
import { businessModel } from '../../src/accounts/models.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { seeded } from '../faults/random.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { full, howMany } from '../support/full.ts'
import { testChain } from '../support/indexed.ts'
import { checkDetections } from './histories/checks.ts'
import { finish } from './histories/finish.ts'
import { type Fault, startLeader } from './histories/leader.ts'
import { round } from './histories/rounds.ts'
import { type Step, take, type What } from './histories/steps.ts'
import { createTree, firstHeight } from './histories/tree.ts'
import { makeSession, type World } from './histories/world.ts'

/*
 * Random histories. A chain of our own grows, forks and goes back to branches that it had given up, while the real loop follows
 * it, one round at a time, over a real Postgres; it is interrupted, frozen and restarted, and what it asks changes between two
 * of its questions. Sessions are made before, while and after they are paid; their jobs are settled in any order, some twice.
 * Whatever the history was: what is credited in the end is what the canonical chain pays.
 */

// --- What may happen ---------------------------------------------------------------------------------------------------------

interface History {
  confirmations: number
  fromHead: boolean
  steps: Step[]
}

const weighted = <T>(of: readonly (readonly [number, T])[]) => fc.oneof(...of.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))

const faults: fc.Arbitrary<Fault> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: weighted<Fault['kind']>([
        [4, 'change'],
        [2, 'crash'],
        [1, 'freeze'],
        [1, 'fail'],
      ]),
      at: fc.constant('any' as const),
      after: fc.nat(9),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      at: fc.constantFrom('begin' as const, 'commit' as const, 'committed' as const),
      after: fc.nat(1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('freeze' as const), at: fc.constant('begin' as const), after: fc.nat(1) }) },
)

const steps: fc.Arbitrary<Step> = fc.record({
  what: weighted<What>([
    [8, 'mine'],
    [2, 'many'],
    [5, 'fork'],
    [3, 'back'],
    [2, 'session'],
    [3, 'late'],
    [3, 'rescan'],
    [1, 'restart'],
    [1, 'tracer'],
  ]),
  seed: fc.nat(2 ** 31),
  fault: fc.option(faults, { freq: 2 }),
  told: fc.boolean(),
  jobs: weighted<Step['jobs']>([
    [1, 'none'],
    [1, 'some'],
    [2, 'all'],
  ]),
})

const histories: fc.Arbitrary<History> = fc.record({
  confirmations: fc.integer({ min: 1, max: 3 }),
  fromHead: weighted([
    [3, false],
    [1, true],
  ]),
  steps: fc.array(steps, { minLength: 14, maxLength: 22 }),
})

// --- The test ----------------------------------------------------------------------------------------------------------------

/** Blocks below the first that a configured start names. */
const prehistory = 4

let database: TestDatabase
let addresses: string[]
const metrics = createIndexerMetrics(createMetrics('test'), 'ethereum')
const log = createLog('test', 'silent')
/** How often each turn was taken, over all histories. */
const turns = new Map<string, number>()
const countTurn = (what: string, by = 1) => void turns.set(what, (turns.get(what) ?? 0) + by)

beforeAll(async () => {
  database = await createTestDatabase(8)
  const rows = await database.db.query<{ address: string }>("select address from deposit_addresses where family = 'evm' order by index")
  addresses = rows.map(({ address }) => address)
})
afterAll(() => database?.drop())

async function live(history: History): Promise<boolean> {
  const { db } = database
  await db.query(
    `truncate detections, transfers, blocks, outbox, chain_cursors, session_payments, pos_sessions, watches,
       webhook_attempts, webhook_deliveries, events, event_sequences`,
  )
  await db.query("update deposit_addresses set taken_at = null where taken_at is not null and family = 'evm'")
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
  const world: Omit<World, 'leader'> = {
    database,
    db,
    chain: testChain({ ETHEREUM_CONFIRMATIONS: String(history.confirmations) }),
    business,
    tree: createTree(Date.now(), tick),
    tick,
    addresses,
    sessions: [],
    transactions: [],
    tracing: true,
    startAt: history.fromHead ? undefined : firstHeight + prehistory,
    metrics,
    log,
    frozen: [],
    creditedReverted: false,
    count: countTurn,
  }
  const led = world as World
  const dice = seeded(history.steps[0]?.seed ?? 0)
  await makeSession(led, dice)
  await makeSession(led, dice)
  led.leader = await startLeader(led)
  try {
    await round(led)
    for (const step of history.steps) {
      await take(led, step)
      if (await checkDetections(led)) countTurn('compared on the way')
    }
    await finish(led, dice)
    const [revived] = await db.query<{ count: number }>('select count(*)::int as count from detections where generation > 1')
    if (revived?.count) countTurn('a block came back with a payment')
    return led.creditedReverted
  } finally {
    for (const each of [...led.frozen, led.leader]) await each.end()
    await led.leader.loseSession()
  }
}

/** Without these the histories above would prove little. */
const rareTurns = [
  ...[
    'crash at read',
    'crash at begin',
    'crash at commit',
    'crash at committed',
    'freeze at begin',
    'freeze at read',
    'fenced',
    'frozen with a block that was given up',
  ],
  ...[
    'change at read',
    'fork to a lower tip',
    'a block came back with a payment',
    'found by the last rescan',
    'rescan refused',
    'fork in the middle of a rescan',
  ],
  ...['ends paid', 'ends pending', 'ends expired', 'ends late', 'ends wrong_token', 'ends underpaid', 'ends overpaid', 'ends none'],
]

test(
  'forks, restarts, duplicates and late watches in random order: what is credited is what the canonical chain pays',
  async () => {
    let [lived, reverted] = [0, 0]
    const started = Date.now()
    // A failing history is told with its seed. To make it smaller takes a minute of database: `endOnFailure: false` does it.
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const tookBack = await live(history)
        lived++
        if (tookBack) reverted++
      }),
      { numRuns: howMany(64, 1000), endOnFailure: true },
    )
    const share = Math.round((100 * reverted) / lived)
    const lines = [...turns.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([turn, times]) => `  ${turn}: ${times}`)
    process.stdout.write(
      `\n${lived} random histories in ${Math.round((Date.now() - started) / 1000)} s; in ${reverted} (${share} %) a payment that was credited was taken back by a fork\n${lines.join('\n')}\n`,
    )
    expect(share).toBeGreaterThanOrEqual(30)
    expect(rareTurns.filter((turn) => !turns.has(turn))).toEqual([])
  },
  full ? 3_600_000 : 300_000,
)
