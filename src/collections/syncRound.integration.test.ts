import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { howMany } from '../../test/support/full.ts'
import { makeManyCollections } from '../../test/support/manyCollections.ts'
import { type OpenCollections, openCollections } from '../../test/support/openCollections.ts'
import { roundAge } from '../../test/support/roundAge.ts'
import { openTwoWorkers } from '../../test/support/twoWorkers.ts'
import { createTurns, questionsPerSecond } from '../partnerPayments/partnerTurns.ts'
import { applyAnswers, type CollectionAnswer } from './applyAnswer.ts'
import { syncWhenDue } from './startSync.ts'

// Rounds of the list: what changed at the partner is stored, with few questions.

let open: OpenCollections
let businessId: string
beforeAll(async () => {
  open = await openCollections({}, { timeoutMs: 5000 })
})
afterAll(() => open?.close())
beforeEach(async () => {
  await open.db.query('truncate fiat_collections, fiat_collection_counts, collection_syncs cascade')
  businessId = await open.business()
  Object.assign(open.standIn, { mode: 'ok', lose: null, lie: null, delayOf: null, perSecond: null })
  open.standIn.collections.hidden.clear()
  open.standIn.asked.length = 0
})

const made = (id: string) => {
  const collection = open.standIn.collections.bySequence(id)
  if (!collection) throw new Error(`the partner has no ${id}`)
  return collection
}
const created = async (n: number) =>
  Promise.all(Array.from({ length: n }, async () => (await open.create(businessId)).body.id))
const round = async () => {
  await open.db.query('update collection_syncs set next_at = now()')
  open.standIn.asked.length = 0
  return syncWhenDue(open.ctx)
}
const states = async () => {
  const rows = await open.db.query<{ status: string; n: number }>(
    'select status, count(*)::int as n from fiat_collections group by 1 order by 1',
  )
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

function countingTransactions() {
  let n = 0
  const tx = (work: Parameters<typeof open.db.tx>[0]) => {
    n++
    return open.db.tx(work)
  }
  return { db: { ...open.db, tx } as typeof open.db, transactions: () => n }
}

test('by the list alone a collection is completed, and another one expires; the next round reads one page', async () => {
  const [paid, unpaid] = await created(2)
  open.standIn.move(10_000)
  open.standIn.collections.receive(made(paid ?? ''))
  expect(await round()).toMatchObject({ pages: 1, shown: 2, changed: 2, missing: 0 })
  open.standIn.move(11 * 60_000)
  await round()
  expect([(await open.read(paid ?? '')).status, (await open.read(unpaid ?? '')).status]).toEqual([
    'completed',
    'expired',
  ])
  expect(await round()).toMatchObject({ pages: 1, changed: 0 })
  expect(open.standIn.asked).toEqual(['/business/receives'])
  expect((await open.events(businessId)).toSorted()).toEqual([
    'collection.completed',
    'collection.expired',
    'collection.processing',
    'collection.processing',
  ])
})

test('a collection whose answer was lost is found in the list', async () => {
  open.standIn.lose = 'answer'
  const { id } = (await open.create(businessId)).body
  await round()
  expect(await open.read(id)).toMatchObject({ status: 'processing', bankName: 'PAGA', reason: null })
  expect(open.submits()).toBe(0)
})

test('what the list does not show is read alone', async () => {
  const [shown, hidden] = await created(2)
  open.standIn.move(10_000)
  await round()
  for (const id of [shown, hidden]) open.standIn.collections.receive(made(id ?? ''))
  open.standIn.collections.hidden.add(made(hidden ?? '').id)
  expect(await round()).toMatchObject({ shown: 1, changed: 1, missing: 1 })
  expect([(await open.read(shown ?? '')).status, (await open.read(hidden ?? '')).status]).toEqual([
    'completed',
    'processing',
  ])
  await open.stepAll()
  expect((await open.read(hidden ?? '')).status).toBe('completed')
})

test('a time from the future in the list does not keep later changes from being read', async () => {
  const [liar = '', other = ''] = await created(2)
  open.standIn.move(10_000)
  open.standIn.lie = (given) =>
    given.id === made(liar).id ? { ...given, updatedAt: '2126-01-01T00:00:00.000Z' } : given
  await round()
  const [synced] = await open.db.query<{ isAhead: boolean }>(
    'select synced_until > now() as "isAhead" from collection_syncs',
  )
  expect(synced?.isAhead).toBe(false)
  // So it may have been stored by a version before.
  await open.db.query("update collection_syncs set synced_until = '2126-01-01'")
  open.standIn.collections.receive(made(other))
  await round()
  expect((await open.read(other)).status).toBe('completed')
})

test('one that cannot be stored delays no other, and is read alone', async () => {
  const [good = '', bad = ''] = await created(2)
  open.standIn.move(10_000)
  await round()
  for (const id of [good, bad]) open.standIn.collections.receive(made(id))
  const id = made(bad).id
  // No text of the database has this character.
  open.standIn.lie = (given) => (given.id === id ? { ...given, reference: 'J\u0000J' } : given)
  expect(await round()).toMatchObject({ shown: 1, missing: 1 })
  expect([(await open.read(good)).status, (await open.read(bad)).status]).toEqual(['completed', 'processing'])
  open.standIn.lie = null
  await open.stepAll()
  expect((await open.read(bad)).status).toBe('completed')
  expect((await open.events(businessId)).toSorted()).toEqual(
    ['completed', 'completed', 'processing', 'processing'].map((state) => `collection.${state}`),
  )
})

describe('a page', () => {
  const answersTo = async (ids: readonly string[]): Promise<CollectionAnswer[]> =>
    Promise.all(
      ids.map(async (id) => {
        const answer = await open.ctx.partner.find(id)
        if (!answer) throw new Error(`the partner has no ${id}`)
        return { id, answer }
      }),
    )

  test('is stored in one transaction, with the events in its order', async () => {
    const ids = await created(20)
    for (const id of ids.toReversed()) {
      open.standIn.move(1000)
      open.standIn.collections.receive(made(id))
    }
    const counted = countingTransactions()
    await open.db.query('update collection_syncs set next_at = now()')
    expect(await syncWhenDue({ ...open.ctx, db: counted.db })).toMatchObject({ pages: 1, changed: 20 })
    expect(counted.transactions()).toBe(1)
    const events = await open.db.query<{ id: string }>(
      "select data->>'id' as id from events where business_id = $1 and type = 'collection.completed' order by sequence",
      [businessId],
    )
    const listed = open.standIn.collections.byChange().map(({ sequenceId }) => sequenceId)
    expect(events.map(({ id }) => id)).toEqual(listed.filter((id) => ids.includes(id)))
  })

  test('with two answers to one collection is stored in their order', async () => {
    const [id = ''] = await created(1)
    const older = await answersTo([id])
    open.standIn.move(10_000)
    open.standIn.collections.receive(made(id))
    const both = [...older, ...(await answersTo([id]))]
    expect(await applyAnswers(open.ctx, both, new Date())).toEqual(new Set())
    expect(await open.read(id)).toMatchObject({ status: 'completed', partnerStatus: 'complete' })
    expect(await open.events(businessId)).toEqual(['collection.processing', 'collection.completed'])
  })

  test('pages at the same moment, in any order, of several businesses: no deadlock, one event for each state', async () => {
    const owners = [businessId, await open.business(), await open.business()]
    const ids: string[] = []
    for (let i = 0; i < 24; i++) ids.push((await open.create(owners[i % owners.length] ?? '')).body.id)
    open.standIn.move(10_000)
    for (const id of ids) open.standIn.collections.receive(made(id))
    const answers = await answersTo(ids)
    const [half, rest] = [answers.slice(0, 12), answers.slice(12)]
    const pages = [half, rest.toReversed(), half.toReversed(), [...rest.slice(1), ...rest.slice(0, 1)]]
    const counted = countingTransactions()
    const failed = await Promise.all(
      pages.map((page) => applyAnswers({ ...open.ctx, db: counted.db }, page, new Date())),
    )
    expect(failed.map((each) => [...each])).toEqual([[], [], [], []])
    // After a deadlock there would be more.
    expect(counted.transactions()).toBe(pages.length)
    for (const owner of owners)
      expect((await open.events(owner)).toSorted()).toEqual([
        ...Array(8).fill('collection.completed'),
        ...Array(8).fill('collection.processing'),
      ])
  })
})

test('of two workers one makes the round; without open collections nothing is read', async () => {
  await created(1)
  const rounds = await Promise.all([syncWhenDue(open.ctx), syncWhenDue(open.ctx)])
  expect(rounds.filter((each) => each !== null)).toHaveLength(1)
  expect(open.standIn.asked.filter((path) => path === '/business/receives')).toHaveLength(1)
  await open.db.query('truncate fiat_collections, fiat_collection_counts cascade')
  await open.db.query("update collection_syncs set completed_at = now() - interval '1 hour'")
  expect(await round()).toBeNull()
  expect(open.standIn.asked).toEqual([])
  expect(await roundAge(open.db, 'collection_syncs')).toBeLessThan(60)
})

test('a partner that is down: later again, from where the last good round ended', async () => {
  const [id = ''] = await created(1)
  await round()
  await open.db.query("update collection_syncs set completed_at = now() - interval '1 hour'")
  open.standIn.mode = 'down'
  await expect(round()).rejects.toThrow('503')
  const [sync] = await open.db.query<{ failures: number; inMs: number }>(
    'select failures, extract(epoch from next_at - now())::float8 * 1000 as "inMs" from collection_syncs',
  )
  expect(sync?.failures).toBe(1)
  expect(sync?.inMs).toBeLessThanOrEqual(30_000)
  open.standIn.mode = 'ok'
  open.standIn.move(10_000)
  open.standIn.collections.receive(made(id))
  expect(await roundAge(open.db, 'collection_syncs')).toBeGreaterThanOrEqual(3600)
  await round()
  expect((await open.read(id)).status).toBe('completed')
  expect(await roundAge(open.db, 'collection_syncs')).toBeLessThan(60)
})

describe('many', () => {
  const n = howMany(400, 50_000)

  test(`a round of ${n} open collections fits into five minutes, at 10 calls a second`, async () => {
    await makeManyCollections(open, businessId, n)
    const workers = openTwoWorkers(open)
    const lines: string[] = []
    /** The round with its calls in turns, as two workers make it, of which one does. */
    const timed = async (what: string) => {
      await open.db.query('update collection_syncs set next_at = now()')
      open.standIn.asked.length = 0
      const began = performance.now()
      const [done, ...others] = await workers.rounds()
      const seconds = (performance.now() - began) / 1000
      const calls = open.standIn.asked.length
      expect([others, done?.missing, calls]).toEqual([[], 0, done?.pages])
      expect(seconds).toBeLessThan(300)
      // The first call may be made at once.
      expect(calls / questionsPerSecond).toBeLessThan(seconds + 2 / questionsPerSecond)
      lines.push(
        `${what}: ${calls} calls in ${seconds.toFixed(1)} s; ${done?.changed} stored, ${Math.round((done?.changed ?? 0) / seconds)} rows/s`,
      )
      return { calls, changed: done?.changed }
    }
    await round()
    open.standIn.move(10_000)
    const changed = await timed('each has changed')
    expect(changed.changed).toBe(n)
    // A call for each 100 that changed. Pages of one time share their last entry, where the partner counts
    // from one.
    expect(changed.calls).toBeLessThanOrEqual(Math.ceil((n / 100) * 1.05) + 2)
    const again = await timed('no change since, but all within ten minutes, which are read again')
    expect([again.changed, again.calls <= changed.calls]).toEqual([0, true])
    for (const each of open.standIn.collections.all())
      if (each.status === 'pending') open.standIn.collections.receive(each)
    await timed('each is paid')
    expect(await states()).toEqual({ completed: n })
    await workers.close()
    process.stdout.write(`${n} open collections, two workers\n${lines.map((line) => `  ${line}\n`).join('')}`)
  }, 1_800_000)

  test('where nothing has changed for a while, a round is one call', async () => {
    await created(3)
    open.standIn.move(5000)
    await round()
    // The stand-in's clock is ahead of our clock: what has changed there was an hour ago.
    const ahead = open.standIn.clock.now() - Date.now()
    for (const each of open.standIn.collections.all()) each.updatedAt -= ahead + 3_600_000
    await open.db.query("update fiat_collections set partner_updated_at = now() - interval '1 hour'")
    expect(await round()).toMatchObject({ pages: 1, shown: 0, missing: 0 })
  })
})

test('turns have their distance over all workers', async () => {
  const { signal } = new AbortController()
  const [one, other] = [
    createTurns(open.db, 'shared', signal, 50),
    createTurns(open.db, 'shared', signal, 50),
  ]
  const began = performance.now()
  await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one() : other())))
  expect(performance.now() - began).toBeGreaterThan(19 * 20 * 0.9)
})
