import { knownChain } from '../../chains/registry.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { ApiError, messageOf, notFound } from '../../platform/errors.ts'
import { connectionPlaces } from '../../platform/http/connectionPlaces.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { type Bell, createBell } from '../../platform/wait.ts'
import { delayedSince } from '../chainProgress.ts'
import { type CheckoutContext, type CheckoutView, checkoutView, versionOf } from './checkoutView.ts'
import { readCheckouts, readHeads, type StoredCheckout } from './readCheckouts.ts'

/** Pause between two reads of the chains' heights, while a page is open whose session is not over. */
const headsMs = 1000
/** Every open page is read again after so long, in case a notification was lost. */
const rereadMs = 60_000
const heartbeatMs = 15_000
const retryAfterSeconds = 5

export interface CheckoutsContext extends CheckoutContext {
  db: Queryable
  log: Log
}

/** A view and what identifies it. */
export interface Checkout {
  view: CheckoutView
  version: string
}

/** A page that is opened. */
export interface Page {
  /** The version that it shows already: it is not sent again. */
  known?: string | undefined
  /** Where its reader is. */
  address: string
}

/** Of one process. */
export interface CheckoutLimits {
  pages: number
  /** Those of one network: fewer, while others have many. */
  perNetwork: number
}

/** The checkout pages that are open on this process. Pages of one session share its view. */
export interface OpenCheckouts {
  /** Reads the view of a session once. @throws ApiError 404 */
  read(sessionId: string): Promise<Checkout>
  /**
   * The view of a session, and each later one, as soon as its change is committed; null is a heartbeat. A
   * slow reader gets the newest view, not each.
   * @throws ApiError 404; 429 `too_many_waiting`
   */
  follow(
    sessionId: string,
    page: Page,
    signal: AbortSignal,
    lifeMs: number,
  ): AsyncGenerator<Checkout | null, void, undefined>
  /** Called with a session whose state has changed; without one, any may have. */
  changed(sessionId?: string): void
  /** The number of open pages. */
  count(): number
  /** Reads what changed until `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>
}

interface Open {
  stored: StoredCheckout
  shown: Checkout
  pages: Set<Bell>
}

type Heads = Awaited<ReturnType<typeof readHeads>>

export function createOpenCheckouts(ctx: CheckoutsContext, limits: CheckoutLimits): OpenCheckouts {
  const places = connectionPlaces({ connections: limits.pages, perNetwork: limits.perNetwork, exempt: [] })
  const open = new Map<string, Open>()
  const opening = new Map<string, Promise<Open>>()
  const dirty = new Set<string>()
  const work = createBell()
  let heads: Heads = new Map()
  let headsAt = Number.NEGATIVE_INFINITY
  let allAt = performance.now()

  const present = (stored: StoredCheckout): Checkout => {
    const heights = new Map([...heads].map(([chain, { height }]) => [chain, height]))
    const times = new Map([...heads].map(([chain, { time }]) => [chain, time]))
    const chain =
      ctx.chains.find(({ name }) => name === stored.session.chain) ?? knownChain(stored.session.chain)
    const since = stored.session.status === 'pending' && chain ? delayedSince(times, chain) : null
    const view = checkoutView(ctx, stored, heights, since)
    return { view, version: versionOf(view) }
  }

  const show = (each: Open): void => {
    const shown = present(each.stored)
    if (shown.version === each.shown.version) return
    each.shown = shown
    for (const page of each.pages) page.ring()
  }

  async function refreshHeads(): Promise<void> {
    if (performance.now() - headsAt < headsMs) return
    heads = await readHeads(ctx.db)
    headsAt = performance.now()
  }

  async function load(ids: readonly string[]): Promise<Map<string, StoredCheckout>> {
    const [stored] = await Promise.all([readCheckouts(ctx.db, ids), refreshHeads()])
    return stored
  }

  async function opened(sessionId: string): Promise<Open> {
    const known = open.get(sessionId) ?? opening.get(sessionId)
    if (known) return known
    const loading = (async () => {
      const stored = (await load([sessionId])).get(sessionId)
      if (!stored) throw notFound('Session')
      const each: Open = { stored, shown: present(stored), pages: new Set() }
      open.set(sessionId, each)
      // A change that came between may be newer than what was read.
      if (dirty.has(sessionId)) work.ring()
      return each
    })().finally(() => opening.delete(sessionId))
    opening.set(sessionId, loading)
    return loading
  }

  function takeChanged(): string[] {
    if (performance.now() - allAt >= rereadMs) {
      for (const id of open.keys()) dirty.add(id)
      allAt = performance.now()
    }
    const ids = [...dirty].filter((id) => open.has(id))
    // One that is being opened may have been read before its change: it is read again once it is open.
    for (const id of dirty) if (!opening.has(id)) dirty.delete(id)
    return ids
  }

  /** One statement for all that changed since the round before. */
  async function round(): Promise<void> {
    const ids = takeChanged()
    if (open.size === 0) return
    try {
      const read = ids.length > 0 ? await readCheckouts(ctx.db, ids) : []
      for (const [id, stored] of read) {
        const each = open.get(id)
        if (each) each.stored = stored
      }
      await refreshHeads()
    } catch (error) {
      for (const id of ids) dirty.add(id)
      throw error
    }
    const changed = new Set(ids)
    for (const [id, each] of open) if (changed.has(id) || isMoving(each)) show(each)
  }

  return {
    async read(sessionId) {
      const known = open.get(sessionId)
      if (known) return known.shown
      const stored = (await load([sessionId])).get(sessionId)
      if (!stored) throw notFound('Session')
      return present(stored)
    },
    async *follow(sessionId, { known, address }, signal, lifeMs) {
      const place = places.take(address, () => {})
      if (typeof place === 'string') throw tooMany[place]()
      // Unlike an idle connection, a page keeps its place.
      place.begin()
      const bell = createBell()
      let each: Open | undefined
      try {
        // A change during the first read is noted as well: the page counts from here.
        each = await opened(sessionId)
        each.pages.add(bell)
        if (open.get(sessionId) !== each) open.set(sessionId, each)
        const end = performance.now() + lifeMs
        let sent = known
        while (!signal.aborted && performance.now() < end) {
          const { shown } = each
          yield shown.version === sent ? null : shown
          sent = shown.version
          if (each.shown.version === sent)
            await bell.wait(Math.max(1, Math.min(heartbeatMs, end - performance.now())), signal)
        }
      } finally {
        place.leave()
        each?.pages.delete(bell)
        if (each?.pages.size === 0 && open.get(sessionId) === each) open.delete(sessionId)
      }
    },
    changed(sessionId) {
      if (sessionId === undefined) for (const id of open.keys()) dirty.add(id)
      else if (open.has(sessionId) || opening.has(sessionId)) dirty.add(sessionId)
      if (dirty.size > 0) work.ring()
    },
    count: places.open,
    run: (signal) =>
      repeat(
        signal,
        {
          everyMs: headsMs,
          bell: work,
          failed: (error) =>
            ctx.log.warn(
              { err: messageOf(error) },
              'could not read sessions for open checkout pages; retrying',
            ),
        },
        round,
      ),
  }
}

/** The view of such a session changes with the height of its chain. */
const isMoving = ({ stored: { session, payments } }: Open): boolean =>
  session.status === 'pending' || payments.some(({ status }) => status === 'seen')

const refusal = (where: string) => () =>
  new ApiError(429, 'too_many_waiting', `Too many checkout pages are open ${where}right now`, {
    retryAfterSeconds,
  })
const tooMany = { connections: refusal(''), connections_of_network: refusal('in this network ') }
