import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { chains } from '../../test/support/sessionDatabase.ts'
import { adjusted } from '../ledger/entries.ts'
import { lockedFor } from '../ledger/lockedAccounts.ts'
import { post, sendEntries } from '../ledger/post.ts'
import type { Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { listBalances } from './listBalances.ts'
import { listEntries } from './listEntries.ts'
import { statement } from './statement.ts'

let database: TestDatabase
const asset = 'ethereum:USDC'
const hourMs = 3_600_000
const realNow = Date.now
const businesses = { behind: '', ahead: '', late: '' }

async function openBusiness(): Promise<string> {
  const id = newId()
  await insertBusiness(database.db, id)
  return id
}
const entryOf = (businessId: string) =>
  adjusted({
    cause: { kind: 'adjustment', id: newId() },
    step: 1,
    debit: { name: 'capital', businessId: null, asset },
    credit: { name: 'available', businessId, asset },
    amount: 1_000_000n,
  })
const postOne = (businessId: string) => database.db.tx((tx) => post(tx, [entryOf(businessId)]))

// Ids never go back in a process: the clock is first behind, then right, then ahead.
beforeAll(async () => {
  Date.now = () => realNow() - 5 * hourMs
  try {
    database = await createTestDatabase()
    businesses.behind = await openBusiness()
    await postOne(businesses.behind)
    Date.now = realNow
    businesses.late = await openBusiness()
  } finally {
    Date.now = realNow
  }
})
afterAll(() => database?.drop())

const ctx = () => ({ db: database.db, chains })
const closingOf = ({ accounts }: Awaited<ReturnType<typeof statement>>) =>
  accounts.find(({ account }) => account === 'available')?.closing ?? '0'

/** A transaction that has posted, and ends at the test's signal. */
async function openTransaction(work: (tx: Tx) => Promise<unknown>) {
  let commit = () => {}
  const held = new Promise<void>((resolve) => {
    commit = resolve
  })
  let posted = () => {}
  const isPosted = new Promise<void>((resolve) => {
    posted = resolve
  })
  const ended = database.db.tx(async (tx) => {
    await work(tx)
    posted()
    await held
  })
  await Promise.race([isPosted, ended])
  return {
    commit() {
      commit()
      return ended
    },
  }
}

const now = async () =>
  (await database.db.query<{ at: Date }>('select clock_timestamp() as at'))[0]?.at ?? new Date()
const since = new Date(realNow() - 24 * hourMs)

describe('a statement', () => {
  test('is not final while an entry of its period can still be committed; nothing waits for that, and final periods stay as they are', async () => {
    const businessId = businesses.late
    const open = await openTransaction((tx) => post(tx, [entryOf(businessId)]))
    // Others post and commit meanwhile.
    await postOne(await openBusiness())
    const to = await now()
    const early = await statement(ctx(), businessId, { from: since, to })
    expect(closingOf(early)).toBe('0')
    expect(Date.parse(early.finalUntil)).toBeLessThan(to.getTime())
    const final = await statement(ctx(), businessId, { from: since, to: new Date(early.finalUntil) })

    await open.commit()
    expect(closingOf(await statement(ctx(), businessId, { from: since, to }))).toBe('1')
    expect(
      (await statement(ctx(), businessId, { from: since, to: new Date(early.finalUntil) })).accounts,
    ).toEqual(final.accounts)
    expect(
      Date.parse((await statement(ctx(), businessId, { from: since, to })).finalUntil),
    ).toBeGreaterThanOrEqual(to.getTime())
  })

  test.each([
    ['post', (tx: Tx, businessId: string) => post(tx, [entryOf(businessId)])],
    [
      'sendEntries',
      async (tx: Tx, businessId: string) => {
        const entries = [entryOf(businessId)]
        sendEntries(tx, entries, await lockedFor(tx, entries))
      },
    ],
  ])(
    'that is final has no entry of a transaction that started before its end and posts after it: %s',
    async (_, work) => {
      const businessId = businesses.late
      let begin = () => {}
      const wait = new Promise<void>((resolve) => {
        begin = resolve
      })
      const late = database.db.tx(async (tx) => {
        await tx.query('select 1')
        await wait
        await work(tx, businessId)
      })
      await database.db.query('select pg_sleep(0.02)')
      const { finalUntil } = await statement(ctx(), businessId, {
        from: since,
        to: new Date(realNow() + hourMs),
      })
      const period = { from: since, to: new Date(finalUntil) }
      const read = await statement(ctx(), businessId, period)
      begin()
      await late
      expect((await statement(ctx(), businessId, period)).accounts).toEqual(read.accounts)
    },
  )

  test('is final until about now when nothing is posted', async () => {
    const before = await now()
    const { finalUntil } = await statement(ctx(), businesses.late, { from: since, to: before })
    expect(Date.parse(finalUntil)).toBeGreaterThanOrEqual(before.getTime() - 1)
  })
})

/** Each report of a business with one entry. */
async function reportsOf(businessId: string) {
  const [row] = await database.db.query<{ at: Date }>(
    'select created_at as at from ledger_entries where business_id = $1',
    [businessId],
  )
  const at = row?.at ?? new Date()
  const [from, to] = [new Date(at.getTime() - 60_000), new Date(at.getTime() + 1)]
  const request = { page: 1, limit: 20, sort: 'ASC' as const }
  const inside = await listEntries(ctx(), businessId, { since: from, until: to }, request)
  const before = await listBalances(ctx(), businessId, { at: from })
  return {
    total: inside.total,
    listed: inside.entries.length,
    closing: closingOf(await statement(ctx(), businessId, { from, to })),
    before,
  }
}
const right = { total: 1, listed: 1, closing: '1', before: { balances: [{ available: '0' }] } }

describe('an entry of a process whose clock is hours', () => {
  test('behind is in the period of its time', async () => {
    expect(await reportsOf(businesses.behind)).toMatchObject(right)
  })

  test('ahead is in the period of its time', async () => {
    Date.now = () => realNow() + 5 * hourMs
    try {
      businesses.ahead = await openBusiness()
      await postOne(businesses.ahead)
    } finally {
      Date.now = realNow
    }
    expect(await reportsOf(businesses.ahead)).toMatchObject(right)
    expect(await database.db.query('select count(*)::int as drifted from ledger_id_drifts')).toEqual([
      { drifted: 2 },
    ])
  })
})

test('an entry and its postings have one time', async () => {
  expect(
    await database.db.query(
      'select 1 from ledger_postings p join ledger_entries e on e.id = p.entry_id where p.created_at <> e.created_at',
    ),
  ).toEqual([])
})
