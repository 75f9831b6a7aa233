import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createIndexed, type Indexed } from '../../test/support/indexed.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { monitoringContext, wideCaps } from '../../test/support/wideCaps.ts'
import { evmAddress } from '../chains/evm/address.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { ApiError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { changeMonitored } from './changeMonitored.ts'
import { foldMonitoredCounts } from './foldMonitoredCounts.ts'
import { getImport, listImports } from './imports.ts'
import { getMonitored, listMonitored } from './listMonitored.ts'
import { monitorAddresses, type NewMonitoring } from './monitorAddresses.ts'
import { removeMonitored } from './removeMonitored.ts'

let indexed: Indexed
let db: ModelDb
let businessId: string
const ethereum = { name: 'ethereum', family: 'evm' } as const
const shown = (address: string) => evmAddress.display(address)
const newAddress = () => `0x${randomBytes(20).toString('hex')}`
const page = { page: 1, limit: 20, sort: 'DESC' } as const

beforeAll(async () => {
  indexed = await createIndexed()
  ;({ businessId } = indexed)
  ;({ db } = indexed.database)
})
beforeEach(async () => {
  await indexed.reset()
  await db.query("update chain_cursors set height = 1000 where chain = 'ethereum'")
})
afterAll(() => indexed?.database.drop())

const ctx = () => monitoringContext(db, 500)
const add = (more: Partial<NewMonitoring> = {}, by = businessId) =>
  monitorAddresses(ctx(), by, { chain: ethereum, addresses: [{ address: newAddress() }], ...more })
const addOne = async (more: Partial<NewMonitoring> = {}) => {
  const { entries, importId } = await add(more)
  const [entry] = entries
  if (!entry) throw new Error('no entry')
  return { ...entry, importId }
}
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof ApiError ? error : null),
  )
const watchOf = async (id: string) => (await db.query('select * from watches where id = $1', [id]))[0]

test.each([
  [2, false],
  [4, true],
])(
  'with %i bulk calls at once, a business 40,000 addresses below its cap is counted one request at a time: %s',
  async (bulkCallsAtOnce, waits) => {
    const near = { ...ctx(), bulkCallsAtOnce, caps: { ...wideCaps, monitoredAddresses: 40_000 } }
    const one = (also?: () => Promise<void>) =>
      monitorAddresses(near, businessId, { chain: ethereum, addresses: [{ address: newAddress() }] }, also)
    let isOver = false
    let second: Promise<void> | undefined
    await one(async () => {
      // Inside the first transaction, after it was counted.
      second = one().then(() => {
        isOver = true
      })
      await waitFor('the second one', async () => {
        const waiting =
          "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'"
        return isOver || (await db.query(waiting)).length > 0
      })
      expect(isOver).toBe(!waits)
    })
    await second
  },
)

describe('a monitored address', () => {
  test('has one entry and one watch, from the block after the newest block read', async () => {
    const address = newAddress()
    const { view, created, importId } = await addOne({
      addresses: [{ address, metadata: { orderId: 'A-1' } }],
      tokens: 'all',
    })
    expect([created, importId]).toEqual([true, null])
    expect(view).toEqual({
      id: view.id,
      chain: 'ethereum',
      address: shown(address),
      businessId,
      tokens: 'all',
      metadata: { orderId: 'A-1' },
      fromBlock: 1001,
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(await watchOf(view.id)).toMatchObject({
      purpose: 'monitor',
      subject_id: view.id,
      all_tokens: true,
      from_height: '1001',
      removed_at: null,
    })
    expect(await getMonitored({ db }, businessId, view.id)).toEqual(view)
  })

  test('added again in any notation returns its entry unchanged', async () => {
    const address = newAddress()
    const first = await addOne({ addresses: [{ address, metadata: { a: 1 } }] })
    const again = await addOne({
      addresses: [{ address: shown(address), metadata: { b: 2 } }],
      tokens: 'all',
    })
    expect(again).toEqual({ view: first.view, created: false, importId: null })
    expect(
      await db.query('select id from watches where address = $1', [Buffer.from(address.slice(2), 'hex')]),
    ).toEqual([{ id: first.view.id }])
  })

  test('added by many requests at once is added once, for any order of their lists', async () => {
    const addresses = Array.from({ length: 200 }, () => ({ address: newAddress() }))
    const lists = Array.from({ length: 6 }, (_, i) => (i % 2 ? addresses.toReversed() : addresses))
    const results = await Promise.all(lists.map((list) => add({ addresses: list })))
    expect(results.flatMap(({ entries }) => entries).filter(({ created }) => created)).toHaveLength(200)
    expect(new Set(results.flatMap(({ entries }) => entries).map(({ view }) => view.id)).size).toBe(200)
    const [watches] = await db.query<{ n: number }>(
      "select count(*)::int as n from watches w left join monitored_addresses m on m.id = w.id where w.purpose = 'monitor' and m.id is null",
    )
    expect(watches).toEqual({ n: 0 })
  })

  test('belongs to its business: two businesses may monitor the same one', async () => {
    const other = await anotherBusiness()
    const address = newAddress()
    const [mine, theirs] = [
      await add({ addresses: [{ address }] }),
      await add({ addresses: [{ address }] }, other),
    ]
    expect(mine.entries[0]?.view.id).not.toBe(theirs.entries[0]?.view.id)
    expect(await refusalOf(getMonitored({ db }, other, mine.entries[0]?.view.id ?? ''))).toMatchObject({
      status: 404,
    })
  })

  test('is removed once, ends its watch, and can be added again', async () => {
    const address = newAddress()
    const { view } = await addOne({ addresses: [{ address }] })
    expect(await removeMonitored({ db }, businessId, ethereum, shown(address))).toBe(true)
    expect(await removeMonitored({ db }, businessId, ethereum, address)).toBe(false)
    expect(await watchOf(view.id)).toMatchObject({ removed_at: expect.any(Date) })
    expect(await refusalOf(getMonitored({ db }, businessId, view.id))).toMatchObject({ status: 404 })
    const again = await addOne({ addresses: [{ address }] })
    expect([again.created, again.view.id === view.id]).toEqual([true, false])
  })

  test('changes its metadata and tokens, and its watch is read again', async () => {
    const { view } = await addOne()
    const before = await watchOf(view.id)
    expect(await changeMonitored({ db }, businessId, view.id, { tokens: 'all' })).toEqual({
      ...view,
      tokens: 'all',
    })
    const after = await watchOf(view.id)
    expect(after).toMatchObject({ all_tokens: true })
    expect(BigInt(String(after?.xid))).toBeGreaterThan(BigInt(String(before?.xid)))
    expect(await changeMonitored({ db }, businessId, view.id, { metadata: { x: 1 } })).toEqual({
      ...view,
      tokens: 'all',
      metadata: { x: 1 },
    })
    expect(await changeMonitored({ db }, businessId, view.id, { metadata: null })).toEqual({
      ...view,
      tokens: 'all',
    })
    for (const id of [newId(), 'nonsense'])
      expect(await refusalOf(changeMonitored({ db }, businessId, id, {}))).toMatchObject({ status: 404 })
  })

  test('is added together with the other writes of the request, or not at all', async () => {
    const address = newAddress()
    const failing = monitorAddresses(
      ctx(),
      businessId,
      { chain: ethereum, addresses: [{ address }] },
      async () => {
        throw new Error('no answer could be stored')
      },
    )
    await expect(failing).rejects.toThrow('no answer could be stored')
    expect((await addOne({ addresses: [{ address }] })).created).toBe(true)
  })
})

describe('a request', () => {
  test('that names one address twice has one entry for both, and counts it once as new', async () => {
    const address = newAddress()
    const { entries } = await add({
      addresses: [{ address }, { address: newAddress() }, { address: shown(address) }],
    })
    expect(entries[0]?.view).toEqual(entries[2]?.view)
    expect(entries.map(({ created }) => created)).toEqual([true, true, false])
  })

  test('with 10,000 addresses is answered in its order', async () => {
    const addresses = Array.from({ length: 10_000 }, () => ({
      address: newAddress(),
      metadata: { order: 1 },
    }))
    const { entries } = await add({ addresses })
    expect(entries.map(({ view }) => view.address.toLowerCase())).toEqual(
      addresses.map(({ address }) => address),
    )
  })

  test('with wrong addresses is refused whole, naming the first hundred', async () => {
    const good = newAddress()
    const many = [{ address: good }, ...Array.from({ length: 150 }, () => ({ address: '0x12' }))]
    const refused = await refusalOf(add({ addresses: many }))
    expect(refused?.fields).toHaveLength(100)
    expect(refused?.fields?.[0]).toEqual({
      field: 'addresses.1.address',
      code: 'invalid_address',
      message: 'is not an address of ethereum',
    })
    expect((await addOne({ addresses: [{ address: good }] })).created).toBe(true)
  })

  test('with one wrong address names its index in the list, or no index without a list', async () => {
    const addresses = [{ address: 'nonsense', metadata: { a: 'nul \0' } }]
    const named = async (more: Partial<NewMonitoring>) =>
      (await refusalOf(add({ addresses, ...more })))?.fields?.map(({ field }) => field)
    expect(await named({})).toEqual(['addresses.0.address', 'addresses.0.metadata'])
    expect(await named({ single: true })).toEqual(['address', 'metadata'])
  })

  test('with metadata that is too long, or that Postgres cannot store, is refused', async () => {
    for (const metadata of [{ a: 'x'.repeat(4096) }, { a: 'nul \0' }]) {
      expect(await refusalOf(add({ addresses: [{ address: newAddress(), metadata }] }))).toMatchObject({
        status: 400,
        fields: [{ field: 'addresses.0.metadata' }],
      })
    }
  })
})

describe('an earlier first block', () => {
  test('starts one import of the blocks since, for all addresses of the call', async () => {
    const { entries, importId } = await add({
      addresses: [{ address: newAddress() }, { address: newAddress() }],
      fromBlock: 600,
    })
    expect(entries.map(({ view }) => view.fromBlock)).toEqual([600, 600])
    expect(await getImport({ db }, businessId, importId ?? '')).toMatchObject({
      chain: 'ethereum',
      fromBlock: 600,
      toBlock: 1000,
      nextBlock: 600,
      addresses: 2,
      status: 'pending',
      progress: 0,
      lastError: null,
      completedAt: null,
    })
    expect(await refusalOf(getImport({ db }, await anotherBusiness(), importId ?? ''))).toMatchObject({
      status: 404,
    })
    // A waiting import takes more addresses, so that the queue cannot be flooded.
    const more = await addOne({ fromBlock: 550 })
    expect(more.importId).toBe(importId)
    expect(await listImports({ db }, businessId, { chain: 'ethereum' }, page)).toMatchObject({
      total: 1,
      imports: [{ fromBlock: 550, nextBlock: 550, toBlock: 1000, addresses: 3 }],
    })
    // A running import does not: its first blocks are already read.
    await db.query("update monitoring_imports set status = 'running', next_height = 776 where id = $1", [
      importId,
    ])
    expect(await getImport({ db }, businessId, importId ?? '')).toMatchObject({ progress: 0.5011 })
    expect((await addOne({ fromBlock: 700 })).importId).not.toBe(importId)
  })

  test('of an existing address moves back and never forward, and starts no import if nothing changes', async () => {
    const addresses = [{ address: newAddress() }]
    const { view } = await addOne({ addresses })
    const earlier = await addOne({ addresses, fromBlock: 900 })
    expect([earlier.created, earlier.view]).toEqual([false, { ...view, fromBlock: 900 }])
    expect(earlier.importId).not.toBeNull()
    expect(await addOne({ addresses, fromBlock: 950 })).toEqual({
      created: false,
      view: { ...view, fromBlock: 900 },
      importId: null,
    })
  })

  test('above the cursor, too far back, or on a chain that is not indexed is refused', async () => {
    expect(await refusalOf(add({ fromBlock: 1001 }))).toMatchObject({
      status: 400,
      fields: [{ field: 'fromBlock', message: 'is above block 1000, the newest block read' }],
    })
    expect(await refusalOf(add({ fromBlock: 500 }))).toMatchObject({
      status: 400,
      fields: [{ field: 'fromBlock' }],
    })
    expect((await add({ fromBlock: 501 })).importId).not.toBeNull()
    await db.query('delete from chain_cursors')
    expect(await refusalOf(add({ fromBlock: 1 }))).toMatchObject({ status: 409, error: 'chain_not_indexed' })
    expect((await addOne()).view.fromBlock).toBeNull()
  })
})

test('a list filters by chain and by address in any notation, its total is not counted row by row, and counts fold while others add', async () => {
  const own = await anotherBusiness()
  const made = Array.from({ length: 25 }, () => newAddress())
  for (const address of made) await add({ addresses: [{ address }] }, own)
  await monitorAddresses(ctx(), own, {
    chain: { name: 'polygon', family: 'evm' },
    addresses: [{ address: made[0] ?? '' }],
  })
  await removeMonitored({ db }, own, ethereum, made[24] ?? '')
  const list = (
    filter: Parameters<typeof listMonitored>[2] = {},
    request: Parameters<typeof listMonitored>[3] = page,
  ) => listMonitored({ db }, own, filter, request)
  const first = await list({ chain: 'ethereum' })
  expect([first.total, first.totalPages, first.addresses.length]).toEqual([24, 2, 20])
  const second = await list({ chain: 'ethereum' }, { ...page, cursor: first.nextCursor ?? '' })
  expect([...first.addresses, ...second.addresses].map(({ address }) => address.toLowerCase())).toEqual(
    made.slice(0, 24).toReversed(),
  )
  expect((await list({ address: shown(made[0] ?? '') })).addresses.map(({ chain }) => chain)).toEqual([
    'polygon',
    'ethereum',
  ])
  expect(await list({ address: 'nonsense' })).toMatchObject({ total: 0, addresses: [] })
  await Promise.all([
    ...Array.from({ length: 10 }, () => add({}, own)),
    ...Array.from({ length: 5 }, () => foldMonitoredCounts(db)),
  ])
  await foldMonitoredCounts(db)
  expect(
    await db.query('select chain, n from monitored_address_counts where business_id = $1 order by chain', [
      own,
    ]),
  ).toEqual([
    { chain: 'ethereum', n: '34' },
    { chain: 'polygon', n: '1' },
  ])
  expect((await list()).total).toBe(35)
})

async function anotherBusiness(): Promise<string> {
  const id = newId()
  await insertBusiness(db, id, 'Other', { fee: 0, margin: 0 })
  return id
}
