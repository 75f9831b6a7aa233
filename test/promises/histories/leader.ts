import { readCursor } from '../../../indexers/cursor.ts'
import { createReportedFinality, followFinality } from '../../../indexers/finality.ts'
import { createReportedHead } from '../../../indexers/heads.ts'
import { type FollowContext, followChain } from '../../../indexers/indexer.ts'
import { lead } from '../../../indexers/leader.ts'
import { createTip } from '../../../indexers/tip.ts'
import { loadWatchList } from '../../../indexers/watchList.ts'
import { ProviderError } from '../../../src/chains/chain.ts'
import { addressCodec } from '../../../src/chains/codecs.ts'
import type { ConfiguredChain } from '../../../src/chains/registry.ts'
import { type Db, openDirect } from '../../../src/platform/database/db.ts'
import type { ModelDb } from '../../../src/platform/database/modelDb.ts'
import type { Bell } from '../../../src/platform/wait.ts'
import type { TestDatabase } from '../../support/database.ts'
import type { Dialect, Source } from './dialect.ts'
import { headerOf } from './tree.ts'

// Runs the indexer one round at a time.

/** `change`: the chain changes, or a session is created, between two requests. */
export interface Fault {
  kind: 'fail' | 'crash' | 'freeze' | 'change'
  at: Point | 'any'
  /** Number of such points in the round before it happens. */
  after: number
}

/** A request to the chain; or a transaction before it starts, before its commit, and after it. */
type Point = 'read' | 'begin' | 'commit' | 'committed'

type LoopState = 'running' | 'waiting' | 'frozen' | 'ended'

export interface Leader {
  /** Lets the loop process the chain once. @returns its state then */
  round(): Promise<LoopState>
  /** Sets the fault of the next round. */
  arm(fault: Fault | null, change?: () => Promise<void>): void
  reportHead(): void
  /** Reads once the final block and confirms payments, as the loop for finality does. Without faults. */
  finality(): Promise<void>
  /** Ends its database session, and with it the lock; its work in progress stays. */
  loseSession(): Promise<void>
  /** Stops the loop and waits for its end. @returns the error that it ended with, unless it was stopped */
  end(): Promise<unknown>
}

/** The leader's context, and its changing state. */
export interface LeaderContext extends Source {
  dialect: Dialect
  database: TestDatabase
  db: ModelDb
  chain: ConfiguredChain
  startAt: number | undefined
  metrics: FollowContext['metrics']
  log: FollowContext['log']
  count(what: string, by?: number): void
}

export class Crash extends Error {}

export async function startLeader(world: LeaderContext): Promise<Leader> {
  const { db, chain, tree } = world
  const direct = await openDirect(world.database.url, 'random histories')
  const watches = await loadWatchList(direct, chain.family, chain.name)
  const stopping = new AbortController()
  const leadership = await lead(direct, chain.name, stopping.signal, async () => {})
  if (!leadership) throw new Error('leadership was aborted')
  let fault: { now: Fault; change: () => Promise<void> } | null = null
  let state: LoopState = 'running'
  let onState = (_: LoopState) => {}
  let release = () => {}
  let failure: unknown
  const become = (next: LoopState) => {
    state = next
    onState(next)
  }

  async function point(where: Point): Promise<void> {
    if (!fault || (fault.now.at !== 'any' && fault.now.at !== where) || fault.now.after-- > 0) return
    const { now, change } = fault
    // Faults that cannot happen here happen at the next point.
    if (now.kind === 'fail' && where !== 'read') return
    if (now.kind !== 'crash' && (where === 'commit' || where === 'committed')) return
    fault = null
    world.count(`${now.kind} at ${where}`)
    if (now.kind === 'fail') throw new ProviderError('the provider is unavailable')
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
  const reported = createReportedHead(chain.blockMs)
  const ctx: FollowContext = {
    db: interrupted,
    chain,
    codec: addressCodec(chain.family),
    epoch: leadership.epoch,
    reader: world.dialect.readerOf(world, point),
    watches,
    inFlight: { done: Promise.resolve() },
    metrics: {
      ...world.metrics,
      reorg(depth, reverted) {
        world.count('reorg')
        world.metrics.reorg(depth, reverted)
      },
    },
    log: world.log,
    bell,
    reported,
    finality: createReportedFinality(),
    tip: createTip(300_000),
    pollMs: 1000,
    crossCheckMs: 1000,
    balancesMs: 1000,
    signal: stopping.signal,
  }
  const running = followChain(ctx, await readCursor(db, chain.name), world.startAt)
    .catch((error: unknown) => {
      failure = error
    })
    .finally(() => become('ended'))

  const resume = () =>
    new Promise<LoopState>((resolve) => {
      if (state === 'ended') resolve(state)
      onState = resolve
      if (state === 'running') return
      state = 'running'
      release()
    })
  const loseSession = async () => {
    leadership.close()
    // As at the session's end, but before the next leader requests the lock.
    await direct.query('select pg_advisory_unlock_all()').catch(() => {})
    await direct.close()
  }
  return {
    round: resume,
    arm(next, change = async () => {}) {
      fault = next && { now: { ...next }, change }
    },
    reportHead: () => reported.report(headerOf(tree.tip())),
    async finality() {
      const once = new AbortController()
      const asked = followFinality({
        ...ctx,
        db,
        reader: world.dialect.readerOf(world, async () => {}),
        signal: once.signal,
      })
      // The signal is checked before each read: the first one has started.
      once.abort()
      await asked
    },
    loseSession,
    async end() {
      fault = null
      if (state === 'frozen') await resume()
      stopping.abort()
      await running
      return failure
    },
  }
}
