import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { checkoutUrl } from '../../../test/support/checkoutUrl.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { settleMade } from '../../../test/support/madeRefunds.ts'
import { makePayment, makeSession } from '../../../test/support/madeSessions.ts'
import { chains } from '../../../test/support/sessionDatabase.ts'
import { waitFor } from '../../../test/support/waitFor.ts'
import { createEventWaiters } from '../../events/waiters.ts'
import type { Queryable } from '../../platform/database/db.ts'
import type { ModelDb } from '../../platform/database/modelDb.ts'
import { newId } from '../../platform/ids.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { pause } from '../../platform/wait.ts'
import { cancelSession } from '../cancelSession.ts'
import { type Checkout, createOpenCheckouts, type OpenCheckouts } from './openCheckouts.ts'

// The checkout pages of one process: what they show, and what that costs the database.

const log = createLog('test', 'silent')
let database: TestDatabase
let db: ModelDb
let businessId: string
/** Statements that read sessions, each with how many. */
let reads: number[] = []
/** A read of sessions is answered only when this resolves, with what it has read. */
let held: Promise<void> | null = null
/** Fails the next read of sessions. */
let isAway = false
let ended: AbortController
let checkouts: OpenCheckouts
let running: Promise<unknown>

const counting: Queryable = {
  async query(text: never, values?: unknown[]) {
    const [ids] = values ?? []
    if (Array.isArray(ids)) {
      if (isAway) {
        isAway = false
        throw new Error('the database is away')
      }
      reads.push(ids.length)
      const until = held
      const rows = await db.query(text, values as never)
      await until
      return rows
    }
    return db.query(text, values as never)
  },
} as Queryable

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  await db.query("insert into chain_cursors (chain, epoch, height) values ('ethereum', 1, 100)")
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = newId()
  await db.query("insert into businesses (id, name, fee_percent) values ($1, 'A shop', 1)", [businessId])
})

/** Runs `work` with the pages of a process. */
async function withPages(work: () => Promise<void>, max = 100, perNetwork = 1000): Promise<void> {
  reads = []
  ended = new AbortController()
  checkouts = createOpenCheckouts(
    { db: counting, chains, log, issuer: 'https://pay.example.com' },
    { pages: max, perNetwork },
  )
  const waiters = createEventWaiters({ db, log }, { inAll: 1, perBusiness: 1 })
  let isListening = false
  waiters.onSession((sessionId) => {
    // Without a session: the process listens from now on, and reads what is open once more.
    if (sessionId === undefined) isListening = true
    checkouts.changed(sessionId)
  })
  running = Promise.all([checkouts.run(ended.signal), waiters.run(database.url, ended.signal)])
  try {
    await waitFor('the process that listens', async () => isListening)
    await work()
  } finally {
    held = null
    ended.abort()
    await running
  }
}

interface Page {
  shown: Checkout[]
  close(): void
  closed: Promise<void>
}

/** Opens a page, and reads each state as it comes. */
function openPage(sessionId: string, known?: string, address = '192.0.2.1'): Page {
  const gone = new AbortController()
  const shown: Checkout[] = []
  const closed = (async () => {
    for await (const each of checkouts.follow(
      sessionId,
      { known, address },
      AbortSignal.any([gone.signal, ended.signal]),
      600_000,
    ))
      if (each) shown.push(each)
  })()
  return { shown, close: () => gone.abort(), closed }
}
const last = ({ shown }: Page) => shown.at(-1)?.view.status
const cancel = (id: string) => cancelSession({ db, chains, checkoutUrl }, businessId, id, async () => {})

test('a change costs one statement, however many pages of the session are open, and reaches all of them', () =>
  withPages(async () => {
    const session = await makeSession(db, businessId, 1_000_000n)
    const pages = Array.from({ length: 20 }, () => openPage(session.id))
    await waitFor('the first state', async () => pages.every(({ shown }) => shown.length === 1))
    expect(reads).toEqual([1])
    await cancel(session.id)
    await waitFor('the change', async () => pages.every((page) => last(page) === 'cancelled'))
    expect(reads).toEqual([1, 1])
    expect(pages.every(({ shown }) => shown.length === 2)).toBe(true)
  }))

test('changes of many sessions cost at most one statement each, and none of other sessions', () =>
  withPages(async () => {
    const sessions = await Promise.all(
      Array.from({ length: 12 }, () => makeSession(db, businessId, 1_000_000n)),
    )
    const pages = sessions.slice(0, 10).map(({ id }) => openPage(id))
    await waitFor('the first states', async () => pages.every(({ shown }) => shown.length === 1))
    reads = []
    await Promise.all(sessions.map(({ id }) => cancel(id)))
    await waitFor('the changes', async () => pages.every((page) => last(page) === 'cancelled'))
    expect(reads.reduce((sum, each) => sum + each, 0)).toBe(10)
  }))

test('a page that is closed costs nothing more', () =>
  withPages(async () => {
    const session = await makeSession(db, businessId, 1_000_000n)
    const page = openPage(session.id)
    await waitFor('the first state', async () => page.shown.length === 1)
    expect(checkouts.count()).toBe(1)
    page.close()
    await page.closed
    expect(checkouts.count()).toBe(0)
    reads = []
    await cancel(session.id)
    const other = await makeSession(db, businessId, 1_000_000n)
    const witness = openPage(other.id)
    await waitFor('its first state', async () => witness.shown.length === 1)
    await cancel(other.id)
    await waitFor('its change', async () => last(witness) === 'cancelled')
    expect(reads).toEqual([1, 1])
  }))

test('a read that fails is made again: no change is lost', () =>
  withPages(async () => {
    const session = await makeSession(db, businessId, 1_000_000n)
    const page = openPage(session.id)
    await waitFor('the first state', async () => page.shown.length === 1)
    isAway = true
    await cancel(session.id)
    await waitFor('the change', async () => last(page) === 'cancelled')
    expect(isAway).toBe(false)
  }))

test('a change that is committed while a page opens is shown', () =>
  withPages(async () => {
    const [session, other] = [
      await makeSession(db, businessId, 1_000_000n),
      await makeSession(db, businessId, 1_000_000n),
    ]
    const witness = openPage(other.id)
    await waitFor('another page', async () => witness.shown.length === 1)
    let release = () => {}
    held = new Promise((resolve) => {
      release = resolve
    })
    const page = openPage(session.id)
    await waitFor('its read', async () => reads.length === 2)
    held = null
    await cancel(session.id)
    // The process has heard of the change, and worked on what it heard, once it shows the next one.
    await cancel(other.id)
    await waitFor('the other change', async () => last(witness) === 'cancelled')
    release()
    await waitFor('the change', async () => last(page) === 'cancelled')
    expect(page.shown.map(({ view }) => view.status)).toEqual(['pending', 'cancelled'])
  }))

test('a state that the page has already is not sent again; a payment that was seen is', () =>
  withPages(async () => {
    const session = await makeSession(db, businessId, 1_000_000n)
    const { version } = await checkouts.read(session.id)
    const page = openPage(session.id, version)
    await waitFor('the page', async () => checkouts.count() === 1 && reads.length > 1)
    await pause(50)
    expect(page.shown).toEqual([])
    await makePayment(db, session, { amount: 400_000n, status: 'seen' })
    await settleMade(db, session.id)
    await waitFor('the payment', async () => page.shown.length === 1)
    expect(page.shown[0]?.view).toMatchObject({
      status: 'pending',
      amountReceived: '0.4',
      amountMissing: '0.6',
      exception: 'underpaid',
      payments: [{ amount: '0.4', status: 'seen' }],
    })
  }))

test('over the limit of open pages one more is refused, and taken when another is closed', () =>
  withPages(async () => {
    const session = await makeSession(db, businessId, 1_000_000n)
    const pages = [openPage(session.id), openPage(session.id)]
    await waitFor('two pages', async () => pages.every(({ shown }) => shown.length === 1))
    await expect(openPage(session.id).closed).rejects.toMatchObject({ status: 429 })
    pages[0]?.close()
    await pages[0]?.closed
    const again = openPage(session.id)
    await waitFor('the page', async () => again.shown.length === 1)
  }, 2))

test('one network cannot take all places: over its share it is refused, and others still open theirs', () =>
  withPages(
    async () => {
      const session = await makeSession(db, businessId, 1_000_000n)
      const host = (n: number) => openPage(session.id, undefined, `2001:db8:0:1::${n}`)
      const pages = [host(1), host(2), host(3)]
      await waitFor('its pages', async () => pages.every(({ shown }) => shown.length === 1))
      await expect(host(4).closed).rejects.toMatchObject({
        status: 429,
        error: 'too_many_waiting',
        message: 'Too many checkout pages are open in this network right now',
      })
      const other = openPage(session.id, undefined, '2001:db8:1:1::1')
      await waitFor("the other's page", async () => other.shown.length === 1)
      expect(checkouts.count()).toBe(4)
      pages[0]?.close()
      await pages[0]?.closed
      const again = host(4)
      await waitFor('its next page', async () => again.shown.length === 1)
    },
    50,
    3,
  ))

test('a session that does not exist is a 404, and holds no page', () =>
  withPages(async () => {
    await expect(openPage(newId()).closed).rejects.toMatchObject({ status: 404 })
    await expect(checkouts.read(newId())).rejects.toMatchObject({ status: 404 })
    expect(checkouts.count()).toBe(0)
  }))
