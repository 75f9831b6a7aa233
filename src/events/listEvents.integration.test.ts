import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { eventOf, happen, newBusiness } from '../../test/support/deliveries.ts'
import { getEvent, listEvents } from './listEvents.ts'
import { recordDeliveries } from './recordEvents.ts'

let database: TestDatabase
let businessId: string
beforeAll(async () => {
  database = await createTestDatabase(12)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = await newBusiness(database.db)
})
const list = (after: number, limit = 100, type?: string) =>
  listEvents(database, businessId, { after, limit, ...(type && { type }) })

describe('the events of a business', () => {
  test('come in order, after the last one read, and show if there are more', async () => {
    expect(await list(0)).toEqual({
      events: [],
      nextAfter: 0,
      hasMore: false,
      oldestSequence: null,
      latestSequence: 0,
    })
    await happen(database.db, businessId, 5)
    const page = await list(1, 2)
    expect(page).toMatchObject({
      events: [{ sequence: 2 }, { sequence: 3 }],
      nextAfter: 3,
      hasMore: true,
      oldestSequence: 1,
      latestSequence: 5,
    })
    expect(await list(3, 2)).toMatchObject({
      events: [{ sequence: 4 }, { sequence: 5 }],
      nextAfter: 5,
      hasMore: false,
    })
    expect(await list(5)).toMatchObject({ events: [], nextAfter: 5, hasMore: false })
    expect(await list(99)).toMatchObject({ events: [], nextAfter: 99, hasMore: false })
    const [event] = page.events
    expect(event).toEqual({
      id: expect.any(String),
      type: 'transaction.detected',
      timestamp: expect.any(String),
      version: 1,
      sequence: 2,
      data: expect.any(Object),
      erasedAt: null,
    })
    expect(await getEvent(database, businessId, event?.id ?? '')).toEqual(event)
    for (const [who, what] of [
      [await newBusiness(database.db), event?.id ?? ''],
      [businessId, 'x'],
    ] as const)
      await expect(getEvent(database, who, what)).rejects.toMatchObject({ status: 404 })
  })

  test('keep every character of their data, and of what they are about', async () => {
    const data = {
      text: 'a "quoted" \\ back\\slash, {braces}, NULL, and a line\nbreak',
      none: null,
      empty: '',
      nested: [{ '"': "'" }],
    }
    const about = { symbol: '"{\\}"', txId: null, address: '' }
    await database.db.tx((tx) =>
      recordDeliveries(tx, businessId, [eventOf('transaction.detected', about, data), eventOf()]),
    )
    expect((await list(0)).events).toMatchObject([{ data }, { data: {} }])
    const rows = await database.db.query(
      'select symbol, tx_id as "txId", address from webhook_deliveries where business_id = $1 order by id limit 1',
      [businessId],
    )
    expect(rows).toEqual([about])
  })

  test('of a rare type cost no more work: a page may be empty, and the next one continues', async () => {
    await happen(database.db, businessId, 3, 'session.paid')
    await happen(database.db, businessId, 10_500)
    await happen(database.db, businessId, 1, 'session.late')
    expect(await list(0, 2, 'session.*')).toMatchObject({
      events: [{ sequence: 1 }, { sequence: 2 }],
      nextAfter: 2,
      hasMore: true,
    })
    expect(await list(2, 2, 'session.*')).toMatchObject({
      events: [{ sequence: 3 }],
      nextAfter: 10_002,
      hasMore: true,
    })
    expect(await list(10_002, 2, 'session.*')).toMatchObject({
      events: [{ type: 'session.late', sequence: 10_504 }],
      nextAfter: 10_504,
      hasMore: false,
    })
    expect(await list(0, 2, 'session.late')).toMatchObject({ events: [], nextAfter: 10_000, hasMore: true })
  })

  test('are never read with a gap, however many write at once and however their transactions end', async () => {
    const writers = 8
    const seen: number[] = []
    let writing = true
    const reader = (async () => {
      for (let after = 0; ; ) {
        const last = !writing
        const { events, nextAfter, hasMore } = await list(after, 7)
        seen.push(...events.map(({ sequence }) => sequence))
        after = nextAfter
        if (last && !hasMore) return
      }
    })()
    let kept = 0
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let n = 0; n < 25; n++) {
          const count = 1 + ((writer + n) % 3)
          const rolledBack = (writer + n) % 5 === 0
          const written = database.db.tx(async (tx) => {
            await recordDeliveries(
              tx,
              businessId,
              Array.from({ length: count }, () => eventOf()),
            )
            if (n % 4 === 0) await tx.query('select pg_sleep(0.005)')
            if (rolledBack) throw new Error('rolled back')
          })
          await written.then(
            () => {
              kept += count
            },
            () => {},
          )
        }
      }),
    )
    writing = false
    await reader
    expect(seen).toEqual(Array.from({ length: kept }, (_, i) => i + 1))
  })
})
