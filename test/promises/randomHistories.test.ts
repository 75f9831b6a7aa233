import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { gapsOf, untracedOf } from '../../indexers/coverage.ts'
import { FencedError, readCursor } from '../../indexers/cursor.ts'
import { createFinalityTold } from '../../indexers/finality.ts'
import { createHeadTold } from '../../indexers/heads.ts'
import { type FollowContext, followChain } from '../../indexers/indexer.ts'
import { createIndexerMetrics } from '../../indexers/indexerMetrics.ts'
import { lead } from '../../indexers/leader.ts'
import { type Reread, reread } from '../../indexers/reread.ts'
import { createTip } from '../../indexers/tip.ts'
import { loadWatchList } from '../../indexers/watchList.ts'
import { type Business, businessModel } from '../../src/accounts/models.ts'
import { type Block, type BlockHeader, type BlockReader, ProviderError, type Transfer } from '../../src/chains/chain.ts'
import { addressCodec } from '../../src/chains/family.ts'
import { assetsOf, type ConfiguredChain } from '../../src/chains/registry.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { type Db, openDirect } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import type { Bell } from '../../src/platform/wait.ts'
import { createSession } from '../../src/sessions/createSession.ts'
import { type Payment, settle } from '../../src/sessions/settle.ts'
import { settleSession } from '../../src/sessions/settleSession.ts'
import { seeded } from '../faults/random.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { full, howMany } from '../support/full.ts'
import { sender, testChain, usdc } from '../support/indexed.ts'
import { waitFor } from '../support/waitFor.ts'

/*
 * Random histories. A chain of our own grows, forks and goes back to branches that it had given up, while the real loop follows
 * it, one round at a time, over a real Postgres; it is interrupted, frozen and restarted, and what it asks changes between two
 * of its questions. Sessions are made before, while and after they are paid; their jobs are settled in any order, some twice.
 * Whatever the history was: what is credited in the end is what the canonical chain pays.
 */

const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const blockMs = 12_000
const firstHeight = 100
/** Blocks below the first that a configured start names. */
const prehistory = 4

// --- The chain ---------------------------------------------------------------------------------------------------------------

/** `failed`: native value of a transaction that failed, which not every reading can tell. `internal`: only a trace shows it. */
type MovementKind = 'log' | 'native' | 'failed' | 'internal'

/** What somebody signed: it may stand in any block, of several branches, or in none. */
interface Transaction {
  id: string
  movements: { kind: MovementKind; contract: string | null; to: string; amount: bigint }[]
}

interface TreeBlock extends BlockHeader {
  parent: TreeBlock | null
  placed: { transaction: Transaction; firstLog: number }[]
  /** When it came into being, counted with the sessions. */
  born: number
}

type Dice = () => number
const pick = (dice: Dice, below: number) => Math.floor(dice() * below)
const one = <T>(dice: Dice, of: readonly T[]): T => of[pick(dice, of.length)] as T

/** Every block that was ever mined, and which of them are the chain now. The same content after the same parent is the same block. */
function createTree(base: number, tick: () => number) {
  const known = new Map<string, TreeBlock>()
  const leaves = new Set<TreeBlock>()
  let canonical = new Map<number, TreeBlock>()
  let tip: TreeBlock
  let highest = 0

  function add(parent: TreeBlock | null, placed: TreeBlock['placed'], salt: number): TreeBlock {
    const height = parent ? parent.height + 1 : firstHeight
    const content = JSON.stringify([parent?.id, height, salt, placed.map(({ transaction, firstLog }) => [transaction.id, firstLog])])
    const id = `0x${createHash('sha256').update(content).digest('hex')}`
    const block = known.get(id) ?? {
      height,
      id,
      parentId: parent?.id ?? `0x${'00'.repeat(32)}`,
      time: new Date(base + (height - firstHeight) * blockMs + (salt % 5) * 1000),
      parent,
      placed,
      born: tick(),
    }
    known.set(id, block)
    if (parent) leaves.delete(parent)
    leaves.add(block)
    return block
  }

  function choose(block: TreeBlock): void {
    tip = block
    highest = Math.max(highest, block.height)
    canonical = new Map()
    for (let each: TreeBlock | null = block; each; each = each.parent) canonical.set(each.height, each)
  }

  tip = add(null, [], 0)
  for (let i = 0; i < 7; i++) tip = add(tip, [], 0)
  choose(tip)
  return {
    tip: () => tip,
    /** The chain was once this high. */
    highest: () => highest,
    at: (height: number) => canonical.get(height) ?? null,
    blocks: () => [...canonical.values()].sort((a, b) => a.height - b.height),
    has: (transaction: Transaction) => [...canonical.values()].some(({ placed }) => placed.some((each) => each.transaction === transaction)),
    mine: (placed: TreeBlock['placed'], salt: number) => choose(add(tip, placed, salt)),
    /** Replaces the newest blocks, as many as `depth`. @returns the transactions that they held */
    drop(depth: number): TreeBlock['placed'][] {
      const dropped: TreeBlock['placed'][] = []
      let at = tip
      for (let i = 0; i < depth && at.parent && at.height > firstHeight + 1; i++) {
        dropped.unshift(at.placed)
        at = at.parent
      }
      choose(at)
      return dropped
    },
    choose,
    abandoned: () => [...leaves].filter((leaf) => leaf !== tip && tip.height - leaf.height < 6),
  }
}
type Tree = ReturnType<typeof createTree>

const headerOf = ({ height, id, parentId, time }: TreeBlock): BlockHeader => ({ height, id, parentId, time })

const transfersOf = (block: TreeBlock, which: (kind: MovementKind) => boolean): Transfer[] =>
  block.placed.flatMap(({ transaction, firstLog }) =>
    transaction.movements.flatMap(({ kind, contract, to, amount }, index) => {
      if (!which(kind)) return []
      const movementKey = kind === 'log' ? `log:${firstLog + index}` : kind === 'internal' ? `trace:${index}` : 'native'
      const native = kind === 'native' || kind === 'failed'
      return [{ txId: transaction.id, movementKey, contract, from: sender, to, amount, ...(native ? { unproven: true as const } : {}) }]
    }),
  )

/** Reads the tree as a family reads its chain. @param point is passed before every answer: there the chain may change, or the reader fail */
function readerOf(world: World, point: (where: 'read') => Promise<void>): BlockReader {
  const { tree } = world
  const whole = (block: TreeBlock): Block => ({
    ...headerOf(block),
    transfers: transfersOf(block, (kind) => kind !== 'internal' || world.tracing),
    source: 'tree',
    traced: world.tracing,
  })
  const reader: BlockReader = {
    async head() {
      await point('read')
      return headerOf(tree.tip())
    },
    finalized: async () => null,
    async header(height) {
      await point('read')
      const block = tree.at(height)
      return block && headerOf(block)
    },
    async block(height) {
      await point('read')
      const block = tree.at(height)
      return block && whole(block)
    },
    async blocks(from, to) {
      const blocks: Block[] = []
      for (let height = from; height <= to; height++) {
        await point('read')
        const block = tree.at(height)
        if (!block) throw new ProviderError(`no block ${height}`)
        blocks.push({
          ...headerOf(block),
          transfers: transfersOf(block, (kind) => kind === 'log'),
          unread: transfersOf(block, (kind) => kind === 'native').map(({ to }) => to),
          source: 'tree',
          traced: false,
        })
      }
      return blocks
    },
    async internal(height) {
      await point('read')
      const block = tree.at(height)
      if (!block || !world.tracing) throw new ProviderError(`nobody traces block ${height}`)
      return { ...headerOf(block), transfers: transfersOf(block, (kind) => kind === 'internal'), source: 'tree', traced: true }
    },
    async succeeded({ height, id }, txIds) {
      await point('read')
      const block = tree.at(height)
      if (block?.id !== id) throw new ProviderError(`block ${height} is another one now`)
      const failed = new Set(transfersOf(block, (kind) => kind === 'failed').map(({ txId }) => txId))
      return new Set(txIds.filter((txId) => !failed.has(txId)))
    },
    witness: async () => 'cannot say',
    balances: async (addresses) => addresses.map(() => 0n),
    transaction: async () => null,
    verify: async () => {},
    internalMethod: 'traces',
  }
  return reader
}

// --- The indexer, one round at a time ----------------------------------------------------------------------------------------

/** `change`: the chain changes, or a session is made, between two questions. */
interface Fault {
  kind: 'fail' | 'crash' | 'freeze' | 'change'
  at: Point | 'any'
  /** Such points of a round that are passed before it happens. */
  after: number
}

/** A question to the chain; a transaction before it begins, before its commit, and after it. */
type Point = 'read' | 'begin' | 'commit' | 'committed'

type LoopState = 'running' | 'waiting' | 'frozen' | 'ended'

interface Leader {
  /** Lets the loop go through the chain once, and tells where it stands then. */
  round(): Promise<LoopState>
  /** What happens in the next round. */
  arm(fault: Fault | null, change?: () => Promise<void>): void
  tellHead(): void
  /** Its session is lost, and with it the lock; what it was doing stays as it is. */
  loseSession(): Promise<void>
  /** Ends the loop and waits for that. @returns what it ended with, if not because it was told to */
  end(): Promise<unknown>
}

class Crash extends Error {}

async function startLeader(world: World): Promise<Leader> {
  const { db, chain, tree } = world
  const direct = await openDirect(world.database.url, 'random histories')
  const watches = await loadWatchList(direct, 'evm', chain.name)
  const stopping = new AbortController()
  const leadership = await lead(direct, chain.name, stopping.signal, async () => {})
  if (!leadership) throw new Error('nobody told it to stop')
  let fault: { now: Fault; change: () => Promise<void> } | null = null
  let state: LoopState = 'running'
  let heard = (_: LoopState) => {}
  let release = () => {}
  let failure: unknown
  const become = (next: LoopState) => {
    state = next
    heard(next)
  }

  async function point(where: Point): Promise<void> {
    if (!fault || (fault.now.at !== 'any' && fault.now.at !== where) || fault.now.after-- > 0) return
    const { now, change } = fault
    // What cannot happen here happens at the next point.
    if (now.kind === 'fail' && where !== 'read') return
    if (now.kind !== 'crash' && (where === 'commit' || where === 'committed')) return
    fault = null
    world.count(`${now.kind} at ${where}`)
    if (now.kind === 'fail') throw new ProviderError('the provider is away')
    if (now.kind === 'crash') throw new Crash()
    if (now.kind === 'change') return change()
    await new Promise<void>((resolve) => {
      release = resolve
      become('frozen')
    })
  }

  const bell: Bell = {
    ring: () => {},
    wait: (_ms, signal) =>
      new Promise((resolve) => {
        release = resolve
        signal?.addEventListener('abort', () => resolve(), { once: true })
        if (signal?.aborted) resolve()
        become('waiting')
      }),
  }
  const interrupted: Db = {
    ...db,
    async tx(work) {
      await point('begin')
      const result = await db.tx(async (tx) => {
        const done = await work(tx)
        await point('commit')
        return done
      })
      await point('committed')
      return result
    },
  }
  const told = createHeadTold(chain.blockMs)
  const ctx: FollowContext = {
    db: interrupted,
    chain,
    codec: addressCodec('evm'),
    epoch: leadership.epoch,
    reader: readerOf(world, point),
    watches,
    metrics: {
      ...world.metrics,
      reorg(depth, reverted) {
        world.count('reorg')
        world.metrics.reorg(depth, reverted)
      },
    },
    log: world.log,
    bell,
    told,
    finality: createFinalityTold(),
    tip: createTip(300_000),
    pollMs: 1000,
    witnessMs: 1000,
    balancesMs: 1000,
    signal: stopping.signal,
  }
  const running = followChain(ctx, await readCursor(db, chain.name), world.startAt)
    .catch((error: unknown) => {
      failure = error
    })
    .finally(() => become('ended'))

  const goOn = () =>
    new Promise<LoopState>((resolve) => {
      if (state === 'ended') resolve(state)
      heard = resolve
      if (state === 'running') return
      state = 'running'
      release()
    })
  const loseSession = async () => {
    leadership.close()
    // As the end of the session would, but before the next one asks.
    await direct.query('select pg_advisory_unlock_all()').catch(() => {})
    await direct.close()
  }
  return {
    round: goOn,
    arm(next, change = async () => {}) {
      fault = next && { now: { ...next }, change }
    },
    tellHead: () => told.tell(headerOf(tree.tip())),
    loseSession,
    async end() {
      fault = null
      if (state === 'frozen') await goOn()
      stopping.abort()
      await running
      return failure
    },
  }
}

// --- The world ---------------------------------------------------------------------------------------------------------------

interface MadeSession {
  id: string
  address: string
  amount: bigint
  expiresAt: Date
  born: number
}

interface World {
  database: TestDatabase
  db: Db
  chain: ConfiguredChain
  business: Business
  tree: Tree
  tick: () => number
  /** The deposit addresses in the order in which sessions take them: those to come are known. */
  addresses: string[]
  sessions: MadeSession[]
  transactions: Transaction[]
  /** Whether a provider can trace now. */
  tracing: boolean
  startAt: number | undefined
  metrics: FollowContext['metrics']
  log: FollowContext['log']
  leader: Leader
  frozen: Leader[]
  /** Whether money that was in the books was taken back by a fork. */
  creditedReverted: boolean
  count(what: string): void
}

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

async function makeSession(world: World, dice: Dice): Promise<void> {
  const amount = BigInt(5 + pick(dice, 20))
  const grown = world.tree.tip().height - firstHeight
  // By the chain's clock: over in some blocks, or never.
  const expirySeconds = dice() < 0.4 ? ((grown + 2 + pick(dice, 15)) * blockMs) / 1000 : 1_000_000
  const view = await createSession(
    { db: world.db, chains: [world.chain] },
    {
      business: world.business,
      chain: world.chain,
      price: { token: 'USDC', amount, localAmount: null, localCurrency: null, rate: null, fxMarginPercent: '0', fee: '0', feeCurrency: 'USDC' },
      expirySeconds,
      label: null,
      reference: null,
      metadata: null,
    },
    async () => {},
  )
  const address = addressCodec('evm').normalise(view.address)
  if (address === null || address !== world.addresses[world.sessions.length]) throw new Error('the addresses are not taken in their order')
  world.sessions.push({ id: view.id, address, amount, expiresAt: new Date(view.expiresAt), born: world.tick() })
}

/** Somebody pays: sessions that there are, sessions to come, or nobody that we know. */
function newTransaction(world: World, dice: Dice): Transaction {
  const next = world.sessions.length + (dice() < 0.2 ? 1 + pick(dice, 2) : 0)
  const to = () => (dice() < 0.06 ? `0x${'ee'.repeat(20)}` : one(dice, world.addresses.slice(0, Math.max(1, next))))
  const amount = () => BigInt(1 + pick(dice, 15))
  const choice = dice()
  const movement = (): Transaction['movements'][number] => {
    if (choice < 0.72) return { kind: 'log', contract: usdc, to: to(), amount: amount() }
    if (choice < 0.8) return { kind: 'log', contract: usdt, to: to(), amount: amount() }
    if (choice < 0.84) return { kind: 'log', contract: `0x${'f0'.repeat(20)}`, to: to(), amount: amount() }
    if (choice < 0.9) return { kind: 'native', contract: null, to: to(), amount: amount() }
    if (choice < 0.93) return { kind: 'failed', contract: null, to: to(), amount: amount() }
    return { kind: 'internal', contract: null, to: to(), amount: amount() }
  }
  const several = choice < 0.8 || choice >= 0.93 ? 1 + Number(dice() < 0.25) : 1
  const transaction = {
    id: `0x${createHash('sha256').update(`${world.tick()}`).digest('hex')}`,
    movements: Array.from({ length: several }, movement),
  }
  world.transactions.push(transaction)
  return transaction
}

/** Gives transactions their places in a block; logs of others may stand before them. */
function place(transactions: readonly Transaction[], dice: Dice): TreeBlock['placed'] {
  let firstLog = 0
  return transactions.map((transaction) => {
    firstLog += pick(dice, 3)
    const placed = { transaction, firstLog }
    firstLog += transaction.movements.length
    return placed
  })
}

const someTransactions = (world: World, dice: Dice) => Array.from({ length: pick(dice, 4) }, () => newTransaction(world, dice))

/** The newest blocks are replaced: what they held stays where it was, moves, or is gone for now. */
function fork(world: World, dice: Dice): void {
  const { tree } = world
  const before = tree.tip().height
  const dropped = tree.drop(1 + pick(dice, 6))
  const salt = world.tick()
  const length = Math.max(1, dropped.length + one(dice, [-1, 0, 0, 1, 1, 2]))
  const branch: Transaction[][] = Array.from({ length }, () => [])
  for (const [index, placed] of dropped.entries())
    for (const { transaction } of placed) {
      const fate = dice()
      if (fate < 0.35) continue
      branch[fate < 0.65 ? Math.min(index, length - 1) : pick(dice, length)]?.push(transaction)
    }
  // What an earlier fork dropped may come back.
  for (const transaction of world.transactions)
    if (dice() < 0.1 && !tree.has(transaction) && !branch.flat().includes(transaction)) one(dice, branch).push(transaction)
  if (dice() < 0.3) one(dice, branch).push(newTransaction(world, dice))
  for (const transactions of branch) tree.mine(place(transactions, dice), salt)
  world.count(tree.tip().height < before ? 'fork to a lower tip' : 'fork')
}

// --- Steps -------------------------------------------------------------------------------------------------------------------

type What = 'mine' | 'many' | 'fork' | 'back' | 'session' | 'late' | 'rescan' | 'restart' | 'tracer'

interface Step {
  what: What
  /** Decides everything that the step leaves open. */
  seed: number
  fault: Fault | null
  /** A subscription tells the head, which may be another one when it is read. */
  told: boolean
  jobs: 'none' | 'some' | 'all'
}

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

/** What the step does to the chain, or to the sessions. */
async function change(world: World, { what }: Step, dice: Dice): Promise<void> {
  const { tree } = world
  if (what === 'mine') for (let i = 0; i <= pick(dice, 2); i++) tree.mine(place(someTransactions(world, dice), dice), 0)
  if (what === 'many') for (let i = 8 + pick(dice, 8); i > 0; i--) tree.mine(place(dice() < 0.4 ? someTransactions(world, dice) : [], dice), 0)
  if (what === 'fork') fork(world, dice)
  if (what === 'back') {
    const abandoned = tree.abandoned()
    if (abandoned.length === 0) return
    world.count('back to a branch that was given up')
    tree.choose(one(dice, abandoned))
    if (dice() < 0.5) tree.mine(place(someTransactions(world, dice), dice), 0)
  }
  if (what === 'session' || what === 'late') {
    await makeSession(world, dice)
    // Paid in the very next block, or in one that takes the place of the newest.
    if (what === 'session' && dice() < 0.7) tree.drop(1)
    const to = world.sessions.at(-1)?.address ?? ''
    const transaction = {
      ...newTransaction(world, dice),
      movements: [{ kind: 'log' as const, contract: usdc, to, amount: BigInt(1 + pick(dice, 20)) }],
    }
    world.transactions.splice(-1, 1, transaction)
    if (what === 'session') tree.mine(place([transaction], dice), world.tick())
  }
  if (what === 'tracer') world.tracing = !world.tracing
}

/** The loop goes once through the chain; who ended or froze is replaced. */
async function round(world: World): Promise<void> {
  for (let state = await world.leader.round(); state !== 'waiting'; state = await world.leader.round()) {
    await world.leader.loseSession()
    if (state === 'frozen') {
      world.frozen.push(world.leader)
      // What it was about to commit may be given up by the chain, so that only its epoch stands against it.
      const cursor = await readCursor(world.db, world.chain.name)
      const left = cursor && world.tree.at(cursor.height)
      if (left && left.id === cursor.id && world.tick() % 2 === 0) {
        world.tree.choose(left)
        world.count('frozen with a block that was given up')
      }
    } else {
      const failure = await world.leader.end()
      if (!(failure instanceof Crash)) throw failure
    }
    world.leader = await startLeader(world)
  }
  const [row] = await world.db.query<{ taken: number }>(
    "select count(*)::int as taken from detections d join session_payments p on p.detection_id = d.id where d.status = 'reverted' and p.posted <> 'none'",
  )
  if ((row?.taken ?? 0) > 0) world.creditedReverted = true
}

/** Those that were frozen go on where they stood, find that somebody else leads, and write nothing. */
async function thaw(world: World, frozen: readonly Leader[]): Promise<void> {
  for (const each of frozen) {
    const before = await written(world)
    const state = await each.round()
    const failure = await each.end()
    if (failure instanceof FencedError) world.count('fenced')
    else if (state === 'ended') world.count('ended without its session')
    expect(await written(world)).toEqual(before)
  }
  world.frozen = world.frozen.filter((each) => !frozen.includes(each))
}

const written = (world: World) =>
  world.db.query(
    `select (select jsonb_agg(b order by b.height, b.id) from blocks b) as blocks, (select count(*) from transfers) as transfers,
       (select jsonb_agg(d order by d.id) from detections d) as detections, (select count(*) from outbox) as jobs, c.height, c.covered::text
     from chain_cursors c`,
  )

async function rescan(world: World, from: number, to: number, what: 'whole' | 'internal' = 'whole', db: Db = world.db): Promise<Reread> {
  const direct = await openDirect(world.database.url, 'rescan')
  const total: Reread = { blocks: 0, found: 0, known: 0, unsupported: [] }
  try {
    const watches = await loadWatchList(direct, 'evm', world.chain.name)
    const ctx = { db, chain: world.chain, codec: addressCodec('evm'), reader: readerOf(world, async () => {}), watches }
    await reread(
      ctx,
      { from, to },
      what,
      (piece) => {
        total.blocks += piece.blocks
        total.found += piece.found
        total.known += piece.known
        total.unsupported.push(...piece.unsupported)
      },
      new AbortController().signal,
    )
  } finally {
    await direct.close()
  }
  return total
}

/** A rescan beside the loop, of heights that were read; a fork in between refuses it. */
async function rescanBeside(world: World, dice: Dice, db: Db = world.db): Promise<void> {
  const [cursor, first] = [await readCursor(world.db, world.chain.name), await firstCovered(world)]
  if (!cursor || first === null) return
  // Not below what was read: that would begin the record further down, and all between would have to be read.
  const from = Math.max(first, cursor.height - pick(dice, 12))
  const to = Math.min(cursor.height, from + pick(dice, 10))
  if (to < from) return
  try {
    const { found, unsupported } = await rescan(world, from, to, 'whole', db)
    if (found > 0) world.count('found by a rescan')
    expect(unsupported).toEqual([])
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    world.count('rescan refused')
  }
}

/** The chain forks and the loop goes back at the worst moment of a rescan: after it made sure that its blocks are the right ones. */
async function rescanCrossed(world: World, dice: Dice): Promise<void> {
  let going: Promise<void> | null = null
  const goBack = () => {
    fork(world, dice)
    let over = false
    going = round(world).finally(() => {
      over = true
    })
    going.catch(() => {})
    const waits = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    return waitFor('the loop is done, or waits for the rescan', async () => over || (await world.db.query(waits)).length > 0)
  }
  const crossed: Db = {
    ...world.db,
    tx: (run) =>
      world.db.tx((tx) =>
        run({
          ...tx,
          async query<R extends object>(text: string, values?: unknown[]) {
            const rows = await tx.query<R>(text, values)
            if (going === null && text.startsWith('select height, id from blocks')) await goBack()
            return rows
          },
        }),
      ),
  }
  await rescanBeside(world, dice, crossed)
  if (going === null) return
  world.count('fork in the middle of a rescan')
  await going
}

class Rollback extends Error {}

/** Settles jobs in any order: some twice at once, some again after they were done, some by a worker that dies before its commit. */
async function work(world: World, dice: Dice, share: number): Promise<void> {
  const ctx = { db: world.db, chains: [world.chain] }
  const dying: Db = {
    ...world.db,
    tx: (run) =>
      world.db.tx(async (tx) => {
        await run(tx)
        throw new Rollback()
      }),
  }
  const rows = await world.db.query<{ id: string; payload: { sessionId: string } }>("select id, payload from outbox where queue = 'session-payment'")
  const jobs = rows.map(({ id, payload: { sessionId } }) => ({ job: { sessionId, outboxId: id }, order: dice() })).sort((a, b) => a.order - b.order)
  for (const { job } of jobs) {
    if (dice() >= share) continue
    const how = dice()
    if (how < 0.1) await expect(settleSession({ ...ctx, db: dying }, job)).rejects.toThrow(Rollback)
    else if (how < 0.2) await Promise.all([settleSession(ctx, job), settleSession(ctx, job)])
    else await settleSession(ctx, job)
    if (how >= 0.2 && how < 0.3) await settleSession(ctx, job)
  }
}

async function take(world: World, step: Step): Promise<void> {
  const dice = seeded(step.seed)
  const stale = [...world.frozen]
  let changed = false
  const changeOnce = async () => {
    if (changed) return
    changed = true
    await change(world, step, dice)
  }
  // While blocks are fetched a session is made, and the newest of them is replaced by one that pays it.
  const overtaken = step.what === 'session' && dice() < 0.7
  if (overtaken) for (let i = 0; i < 2; i++) world.tree.mine(place(someTransactions(world, dice), dice), 0)
  const fault: Fault | null = overtaken ? { kind: 'change', at: 'read', after: 1 + pick(dice, 2) } : step.fault
  if (step.told) world.leader.tellHead()
  if (fault?.kind !== 'change') await changeOnce()
  if (step.what === 'restart') {
    await world.leader.end()
    await world.leader.loseSession()
    world.leader = await startLeader(world)
  }
  world.leader.arm(fault, changeOnce)
  if (step.what === 'rescan' && dice() < 0.5) await rescanCrossed(world, dice)
  await Promise.all([round(world), step.what === 'rescan' ? rescanBeside(world, seeded(step.seed + 1)) : null])
  world.leader.arm(null)
  if (!changed) {
    await changeOnce()
    await round(world)
  }
  if (!fault && !step.told) await checkReached(world)
  await thaw(world, dice() < 0.5 ? world.frozen : stale)
  if (step.jobs !== 'none') await work(world, dice, step.jobs === 'all' ? 1 : 0.4)
}

// --- What must be true -------------------------------------------------------------------------------------------------------

interface Expected {
  line: string
  payment: Payment
  sessionId: string
  /** The block was mined after the session was made, and a trace was not needed to see it. */
  promised: boolean
}

/** What the canonical chain pays to the sessions, by the tree alone. */
function expectedOf(world: World, from: number): Expected[] {
  const { tree, chain } = world
  const final = tree.tip().height - chain.confirmations + 1
  const sessions = new Map(world.sessions.map((session) => [session.address, session]))
  const symbols = new Map<string | null, string>([
    [usdc, 'USDC'],
    [usdt, 'USDT'],
    [null, 'ETH'],
  ])
  return tree
    .blocks()
    .filter(({ height }) => height >= from)
    .flatMap((block) =>
      transfersOf(block, (kind) => kind !== 'failed').flatMap(({ txId, movementKey, contract, to, amount }): Expected[] => {
        const [session, token] = [sessions.get(to), symbols.get(contract)]
        if (!session || !token) return []
        const status = block.height <= final ? 'confirmed' : 'seen'
        const line = [block.height, block.id, txId, movementKey, token, to, amount, session.id, status].join(' ')
        const payment: Payment = { detectionId: line, chain: chain.name, token, amount, blockTime: block.time, status, generation: 1, last: null }
        return [{ line, payment, sessionId: session.id, promised: session.born < block.born && !movementKey.startsWith('trace:') }]
      }),
    )
    .sort((a, b) => (a.line < b.line ? -1 : 1))
}

async function detectedLines(world: World): Promise<string[]> {
  const rows = await world.db.query<{ line: string }>(
    `select concat_ws(' ', t.block_height, t.block_id, t.tx_id, t.movement_key, t.token, t.to_address, t.amount, d.subject_id, d.status) as line
     from detections d join transfers t on t.id = d.transfer_id where d.status <> 'reverted'`,
  )
  return rows.map(({ line }) => line).sort()
}

async function firstCovered(world: World): Promise<number | null> {
  const [row] = await world.db.query<{ first: string | null }>('select lower(covered) as first from chain_cursors')
  return row?.first == null ? null : Number(row.first)
}

/**
 * Where nothing came in between, a round reaches the tip, unless that is still below what was read. A second one may be needed:
 * blocks that were fetched ahead before a provider failed may be of a branch that was given up since.
 */
async function checkReached(world: World): Promise<void> {
  const tip = world.tree.tip()
  const before = await readCursor(world.db, world.chain.name)
  if (before && before.height > tip.height) return
  if (before?.id !== tip.id) {
    world.count('a second round was needed')
    await round(world)
  }
  expect(await readCursor(world.db, world.chain.name)).toEqual({ height: tip.height, id: tip.id })
}

/** Wherever the loop has reached the chain's tip, it has found all that was promised, nothing that is not there, and says what it read. */
async function checkDetections(world: World): Promise<boolean> {
  const [cursor, first] = [await readCursor(world.db, world.chain.name), await firstCovered(world)]
  if (!cursor || first === null || cursor.id !== world.tree.tip().id) return false
  const expected = expectedOf(world, first)
  const detected = await detectedLines(world)
  const known = new Set(detected)
  // What was confirmed stays so when the chain becomes shorter above it.
  const was = (line: string) => known.has(line) || (world.tree.highest() > cursor.height && known.has(line.replace(/seen$/, 'confirmed')))
  expect(expected.filter(({ line, promised }) => promised && !was(line)).map(({ line }) => line)).toEqual([])
  const lines = new Set(expected.flatMap(({ line }) => (was(line) && !known.has(line) ? [line.replace(/seen$/, 'confirmed')] : [line])))
  expect(detected.filter((line) => !lines.has(line))).toEqual([])
  const [record] = await world.db.query('select covered::text, traced <@ covered as within from chain_cursors')
  expect(record).toEqual({ covered: `{[${first},${cursor.height + 1})}`, within: true })
  return true
}

async function balances(world: World, token: string): Promise<Record<'pending' | 'available', bigint>> {
  const of = (name: 'pending' | 'available') => balanceOf(world.db, { name, businessId: world.business.id, asset: `${world.chain.name}:${token}` })
  return { pending: await of('pending'), available: await of('available') }
}

/** Everything that is left to do is done, and then everything must be as the chain says. */
async function finish(world: World, dice: Dice): Promise<void> {
  const { tree, chain, db } = world
  await thaw(world, world.frozen)
  world.tracing = true
  const highest = tree.highest()
  // Above whatever was read, and until the time of all sessions that have one is over by blocks that are final.
  const short = world.sessions.map(({ expiresAt }) => expiresAt.getTime()).filter((at) => at < tree.tip().time.getTime() + 900_000)
  while (tree.tip().height <= highest || tree.tip().time.getTime() < Math.max(0, ...short) + chain.confirmations * blockMs) tree.mine([], 0)
  for (let i = 0; i < 3; i++) tree.mine(place(someTransactions(world, dice), dice), 0)
  await round(world)
  await round(world)
  expect(await checkDetections(world)).toBe(true)

  const first = await firstCovered(world)
  if (first === null) throw new Error('nothing was read')
  expect(first).toBeLessThanOrEqual(world.startAt ?? Number.POSITIVE_INFINITY)
  expect(await gapsOf(db, chain.name, world.startAt)).toEqual([])

  // Sessions whose addresses were paid before they were made, and internal transfers of blocks that nobody could trace.
  await work(world, dice, 0.5)
  const expected = expectedOf(world, first)
  const missing = expected.length - (await detectedLines(world)).length
  let found = 0
  for (const gap of await untracedOf(db, chain.name)) found += (await rescan(world, gap.from, gap.to, 'internal')).found
  expect(await untracedOf(db, chain.name)).toEqual([])
  const again = await rescan(world, first, tree.tip().height)
  expect(again.unsupported).toEqual([])
  expect(found + again.found).toBe(missing)
  if (missing > 0) world.count('found by the last rescan')
  expect(await detectedLines(world)).toEqual(expected.map(({ line }) => line))

  for (let tries = 0; (await db.query('select 1 from outbox limit 1')).length > 0; tries++) {
    if (tries > 20) throw new Error('there is always another job')
    await work(world, dice, 1)
  }
  await checkSessions(world, expected)

  // Nothing is left to do: neither for a rescan nor for a job that comes again.
  const before = await db.query('select * from detections order by id')
  expect(await rescan(world, first, tree.tip().height)).toMatchObject({ found: 0, known: expected.length, unsupported: [] })
  expect(await db.query('select * from detections order by id')).toEqual(before)
  expect(await db.query('select 1 from outbox')).toEqual([])
  for (const { id } of world.sessions) expect(await settleSession({ db, chains: [chain] }, { sessionId: id, outboxId: '0' })).toEqual([])
}

async function checkSessions(world: World, expected: readonly Expected[]): Promise<void> {
  const { chain, db, tree } = world
  const confirmedTime = tree.at(tree.tip().height - chain.confirmations + 1)?.time ?? null
  const model = new Map(
    world.sessions.map((session) => {
      const payments = expected.filter(({ sessionId }) => sessionId === session.id).map(({ payment }) => payment)
      const state = { ...session, status: 'pending' as const, chain: chain.name, token: 'USDC', amountExpected: session.amount, amountSettled: 0n }
      return [session.id, settle(state, payments, confirmedTime)]
    }),
  )
  const rows = await db.query<{ id: string; status: string; exception: string; amount_received: string; amount_settled: string }>(
    'select id, status, exception, amount_received, amount_settled from pos_sessions order by id',
  )
  expect(rows).toEqual(
    [...model.entries()]
      .map(([id, { status, exception, amountReceived, amountSettled }]) => ({
        id,
        status,
        exception,
        amount_received: amountReceived.toString(),
        amount_settled: amountSettled.toString(),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  )
  for (const { status, exception } of rows) {
    world.count(`ends ${status}`)
    world.count(`ends ${exception}`)
  }

  for (const { symbol } of assetsOf(chain)) {
    const should = { pending: 0n, available: 0n }
    for (const { payment, sessionId } of expected) {
      if (payment.token !== symbol || payment.status !== 'confirmed') continue
      should[model.get(sessionId)?.status === 'pending' ? 'pending' : 'available'] += payment.amount
    }
    expect({ symbol, ...(await balances(world, symbol)) }).toEqual({ symbol, ...should })
  }
  const [told] = await db.query<{ paid: number; gaps: number }>(
    `select (count(*) filter (where type = 'session.paid') - count(*) filter (where type = 'session.reversed'))::int as paid,
       (coalesce(max(sequence), 0) - count(*))::int as gaps from events`,
  )
  expect(told).toEqual({ paid: rows.filter(({ status }) => status === 'paid').length, gaps: 0 })
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

// --- The test ----------------------------------------------------------------------------------------------------------------

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
