import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import type { Account } from '../../src/ledger/account.ts'
import { type Entry, tokenAsset } from '../../src/ledger/entry.ts'
import { post } from '../../src/ledger/post.ts'
import { newId } from '../../src/platform/ids.ts'
import { addBusiness, addMember, addPerson, dashboard, sessionOf } from '../support/dashboardSession.ts'
import { makePayment, makeSession } from '../support/madeSessions.ts'
import { createStack, type Stack } from '../support/stack.ts'

// The books of a business, by the API. Entries are posted as workers do.

interface Posting {
  account: string
  asset: string
  symbol: string
  decimals: number
  amount: string
}

interface EntryBody {
  id: string
  kind: string
  reference: string
  sessionId: string | null
  createdAt: string
  postings: Posting[]
}

interface Page {
  entries: EntryBody[]
  total: number
  totalPages: number
  nextCursor: string | null
}

interface Statement {
  accounts: {
    account: string
    asset: string
    opening: string
    closing: string
    movements: { kind: string; entries: number; amount: string }[]
  }[]
}

interface Refusal {
  error: string
  fields?: { field: string }[]
}

let stack: Stack
let stranger: string
let businessId: string
let key: Record<string, string>
const usdc = tokenAsset('ethereum', 'USDC')
const eth = tokenAsset('ethereum', 'ETH')

beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
  const owner = await addPerson(stack)
  businessId = await addBusiness(stack, owner)
  stranger = await addBusiness(stack, await addPerson(stack))
  key = await keyOf(businessId)
})
afterAll(() => stack?.close())

const keyOf = async (of: string) => ({
  'x-api-key': (
    await createApiKey(stack, { businessId: of, name: 'books', scope: 'read', environment: 'test' })
  ).reveal(),
})
const get = <T>(path: string, headers = key) => stack.api<T>('GET', path, undefined, headers)
const entriesOf = async (query = '', headers = key) =>
  (await get<Page>(`/ledger/entries?limit=100${query}`, headers)).body
const balances = async (query = '', headers = key) =>
  (await get<{ balances: Record<string, string>[] }>(`/balances${query}`, headers)).body.balances
const refusal = async (path: string) => {
  const { status, body } = await get<Refusal>(path)
  return [status, ...(body.fields ?? []).map(({ field }) => field)]
}

type Of = 'pending' | 'available' | 'receivable'
const own = (name: Of, of: string, asset: string): Account => ({ name, businessId: of, asset })
const deposits = (asset: string): Account => ({ name: 'deposits:ethereum', businessId: null, asset })

/** An entry that adds to an account, or with a negative amount takes from it. */
function entry(of: string, kind: string, name: Of, amount: bigint, asset = usdc): Entry {
  return {
    kind,
    businessId: of,
    cause: { kind: 'payout', id: newId() },
    step: 1,
    mayOwe: true,
    postings: [
      { account: deposits(asset), amount },
      { account: own(name, of, asset), amount: -amount },
    ],
  }
}
const posted = (...entries: Entry[]) => stack.db.tx((tx) => post(tx, entries))
/** The database's time, between entries. */
async function instant(): Promise<string> {
  const [row] = await stack.db.query<{ at: Date }>('select clock_timestamp() as at, pg_sleep(0.003)')
  await stack.db.query('select pg_sleep(0.003)')
  return row?.at.toISOString() ?? ''
}

describe('the books of a business', () => {
  let beginning: string
  let middle: string
  let end: string

  beforeAll(async () => {
    beginning = await instant()
    await posted(entry(businessId, 'deposit.credited', 'available', 100_000_001n))
    await posted(entry(businessId, 'deposit.pending', 'pending', 5n * 10n ** 17n, eth))
    await posted(entry(stranger, 'deposit.credited', 'available', 77_000_000n))
    middle = await instant()
    await posted(entry(businessId, 'deposit.reverted', 'available', -30_000_000n))
    // More than there is: the rest is owed.
    await posted(entry(businessId, 'deposit.reverted', 'available', -80_000_000n))
    await posted(entry(businessId, 'deposit.credited', 'available', 4_000_000n))
    end = await instant()
  })

  test('balances are exact, by asset, now and at a time', async () => {
    const none = {
      pending: '0',
      available: '0',
      receivable: '0',
      payoutsHeld: '0',
      stakes: '0',
      credit: '0',
      creditHeld: '0',
    }
    const of = (asset: string, symbol: string, decimals: number) => ({
      asset,
      chain: 'ethereum',
      token: symbol,
      symbol,
      decimals,
      ...none,
    })
    expect(await balances()).toEqual([
      { ...of(eth, 'ETH', 18), pending: '0.5' },
      { ...of(usdc, 'USDC', 6), receivable: '5.999999' },
    ])
    expect(await balances(`?at=${middle}`)).toMatchObject([
      { pending: '0.5' },
      { available: '100.000001', receivable: '0' },
    ])
    expect(await balances(`?at=${beginning}`)).toMatchObject([
      { pending: '0' },
      { available: '0', receivable: '0' },
    ])
    expect(await balances(`?at=${end}`)).toEqual(await balances())
    for (const query of [`?asset=${usdc}`, '?token=USDC', '?chain=ethereum&token=USDC'])
      expect((await balances(query)).map(({ asset }) => asset)).toEqual([usdc])
    expect([await balances('?chain=tron'), await balances('?token=XLM')]).toEqual([[], []])
  })

  test('a balance at the time of an entry includes it', async () => {
    const { entries } = await entriesOf('&sort=ASC')
    const totals: bigint[] = []
    for (const { createdAt } of entries.filter(({ kind }) => kind !== 'deposit.pending')) {
      const [row] = await balances(`?asset=${usdc}&at=${createdAt}`)
      totals.push(units(row?.available) - units(row?.receivable))
    }
    expect(totals).toEqual([100_000_001n, 70_000_001n, -9_999_999n, -5_999_999n])
  })

  test('entries have the postings of the business alone, in whole units, with the change of each balance', async () => {
    const { entries, total, totalPages } = await entriesOf('&sort=ASC')
    expect([total, totalPages]).toEqual([5, 1])
    expect(
      entries.map(({ kind, postings }) => [
        kind,
        ...postings.map(({ account, amount, symbol }) => `${account} ${amount} ${symbol}`),
      ]),
    ).toEqual([
      ['deposit.credited', 'available 100.000001 USDC'],
      ['deposit.pending', 'pending 0.5 ETH'],
      ['deposit.reverted', 'available -30 USDC'],
      ['deposit.reverted', 'available -70.000001 USDC', 'receivable 9.999999 USDC'],
      ['deposit.credited', 'receivable -4 USDC'],
    ])
  })

  test('entries are filtered by account, asset, kind, reference and time', async () => {
    const all = (await entriesOf('&sort=ASC')).entries
    const found = async (query: string) =>
      (await entriesOf(`&sort=ASC${query}`)).entries.map(({ id }) => all.findIndex((each) => each.id === id))
    expect(await found('&account=available')).toEqual([0, 2, 3])
    expect(await found('&account=receivable')).toEqual([3, 4])
    expect(await found('&account=stakes')).toEqual([])
    expect(await found(`&asset=${eth}`)).toEqual([1])
    expect(await found(`&account=available&asset=${eth}`)).toEqual([])
    expect(await found('&kind=deposit.reverted')).toEqual([2, 3])
    expect(await found(`&reference=${all[4]?.reference}`)).toEqual([4])
    expect(await found(`&since=${middle}`)).toEqual([2, 3, 4])
    expect(await found(`&until=${middle}`)).toEqual([0, 1])
    expect(await found(`&since=${all[2]?.createdAt}&until=${all[4]?.createdAt}`)).toEqual([2, 3])
  })

  test('a statement opens with the balance before, sums each kind, and closes with the balance after', async () => {
    const of = async (from: string, to: string) =>
      (await get<Statement>(`/ledger/statement?from=${from}&to=${to}`)).body.accounts
    const late = new Date(Date.now() + 3_600_000).toISOString()
    expect(await of(middle, late)).toMatchObject([
      { account: 'pending', asset: eth, opening: '0.5', movements: [], closing: '0.5' },
      {
        account: 'available',
        asset: usdc,
        opening: '100.000001',
        movements: [{ kind: 'deposit.reverted', entries: 2, amount: '-100.000001' }],
        closing: '0',
      },
      {
        account: 'receivable',
        opening: '0',
        movements: [
          { kind: 'deposit.credited', entries: 1, amount: '-4' },
          { kind: 'deposit.reverted', entries: 1, amount: '9.999999' },
        ],
        closing: '5.999999',
      },
    ])
    expect(
      (await of(beginning, middle)).map(({ account, opening, closing }) => [account, opening, closing]),
    ).toEqual([
      ['pending', '0', '0.5'],
      ['available', '0', '100.000001'],
    ])
    expect(await of('2026-01-01T00:00:00Z', beginning)).toEqual([])
  })

  test('another business finds nothing of it', async () => {
    const other = await keyOf(stranger)
    const ours = (await entriesOf()).entries[0]
    expect((await entriesOf('', other)).entries.map(({ postings }) => postings)).toMatchObject([
      [{ amount: '77' }],
    ])
    expect((await entriesOf(`&reference=${ours?.reference}`, other)).total).toBe(0)
    expect(await balances('', other)).toMatchObject([{ asset: usdc, available: '77' }])
    const { headers } = await sessionOf(stack, await addPerson(stack))
    for (const path of [
      '/balances',
      '/ledger/entries',
      '/ledger/statement?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
    ])
      expect(
        (await dashboard(stack, 'GET', `/businesses/${businessId}${path}`, undefined, headers)).status,
      ).toBe(404)
  })

  test('a viewer reads the books in the dashboard, also as a file', async () => {
    const { headers } = await sessionOf(stack, await addMember(stack, businessId, 'viewer'))
    const entries = await dashboard<Page>(
      stack,
      'GET',
      `/businesses/${businessId}/ledger/entries`,
      undefined,
      headers,
    )
    expect([entries.status, entries.body.total]).toEqual([200, 5])
    const url = `http://127.0.0.1:${stack.processes.get('api')?.port()}/dashboard/api/businesses/${businessId}/ledger/entries`
    const file = await fetch(url, { headers: { ...headers, accept: 'text/csv' } })
    expect((await file.text()).split('\r\n')).toHaveLength(1 + 6 + 1)
  })
})

test('entries of a session are those of its payments, each with every step', async () => {
  const owner = await addBusiness(stack, await addPerson(stack))
  const headers = await keyOf(owner)
  const session = await makeSession(stack.db, owner, 50n)
  const [paid, other] = [await makePayment(stack.db, session, { amount: 50n }), newId()]
  await stack.db.query(
    "insert into session_payments (detection_id, session_id, generation, status) values ($1, $2, 0, 'confirmed')",
    [paid, session.id],
  )
  const of = (id: string, kind: string, step: number): Entry => ({
    ...entry(owner, kind, 'available', 50n),
    cause: { kind: 'session_payment', id },
    step,
  })
  await posted(
    of(paid, 'deposit.pending', 1),
    of(paid, 'deposit.credited', 2),
    of(other, 'deposit.credited', 1),
  )
  const { entries, total } = await entriesOf(`&sort=ASC&sessionId=${session.id}`, headers)
  expect([total, entries.map(({ kind, sessionId }) => [kind, sessionId])]).toEqual([
    2,
    [
      ['deposit.pending', session.id],
      ['deposit.credited', session.id],
    ],
  ])
  expect(
    (
      await entriesOf(
        `&sessionId=${session.id}&account=available&asset=${usdc}&kind=deposit.credited`,
        headers,
      )
    ).total,
  ).toBe(1)
  expect((await entriesOf(`&sessionId=${session.id}`, key)).total).toBe(0)
  expect((await entriesOf(`&sessionId=${newId()}`, headers)).total).toBe(0)
})

describe('a request that makes no sense is refused by the name of its field', () => {
  const times = 'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z'
  const later = new Date(Date.now() + 60_000).toISOString()
  test.each([
    ['/balances?at=yesterday', 'at'],
    [`/balances?at=${later}`, 'at'],
    ['/balances?asset=USDC', 'asset'],
    ['/balances?asset=ethereum:DAI', 'asset'],
    ['/balances?asset=dogechain:USDC', 'asset'],
    ['/balances?chain=dogechain', 'chain'],
    ["/balances?token=' or 1=1 --", 'token'],
    ['/balances?businessId=x', 'businessId'],
    ['/ledger/entries?account=deposits:ethereum', 'account'],
    ['/ledger/entries?account=savings', 'account'],
    ['/ledger/entries?asset=ethereum:DAI', 'asset'],
    ['/balances?token=DOGE', 'token'],
    ['/ledger/entries?kind=', 'kind'],
    ['/ledger/entries?kind=deposit.lost', 'kind'],
    ['/ledger/entries?sessionId=x', 'sessionId'],
    ['/ledger/entries?since=2026-13-01T00:00:00Z', 'since'],
    ['/ledger/entries?since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z', 'until'],
    ['/ledger/entries?since=2026-02-01T00:00:00Z&until=2026-02-01T00:00:00Z', 'until'],
    ['/ledger/entries?limit=101', 'limit'],
    ['/ledger/entries?limit=100&page=101', 'page'],
    ['/ledger/entries?cursor=x', 'cursor'],
    ['/ledger/statement', 'from'],
    ['/ledger/statement?from=2026-01-01T00:00:00Z', 'to'],
    ['/ledger/statement?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'to'],
    ['/ledger/statement?from=2024-01-01T00:00:00Z&to=2025-01-02T00:00:00.001Z', 'to'],
    [`/ledger/statement?from=${later}&to=2100-01-01T00:00:00Z`, 'from'],
    [`/ledger/statement?${times}&sort=ASC`, 'sort'],
    ['/ledger/statement?month=2026-13', 'month'],
    [`/ledger/statement?${times}&month=2026-01`, 'from'],
    [`/ledger/statement?${times}&timeZone=UTC`, 'timeZone'],
    ['/ledger/statement?month=2026-01&timeZone=Nowhere/At_All', 'timeZone'],
  ])('%s', async (path, ...fields) => {
    expect(await refusal(encodeURI(path))).toEqual([400, ...fields])
  })

  test('a year and a day in a leap year is the longest period', async () => {
    expect((await get('/ledger/statement?from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z')).status).toBe(
      200,
    )
  })

  test('a file is refused before it starts', async () => {
    const { status, body, headers } = await get<Refusal>('/ledger/entries?asset=ethereum:DAI', {
      ...key,
      accept: 'text/csv',
    })
    expect([status, body.fields?.[0]?.field, headers.get('content-type')]).toEqual([
      400,
      'asset',
      expect.stringContaining('application/json'),
    ])
  })
})

describe('many entries', () => {
  const count = 1203
  let many: string
  let headers: Record<string, string>

  beforeAll(async () => {
    many = await addBusiness(stack, await addPerson(stack))
    headers = await keyOf(many)
    await posted(
      ...Array.from({ length: count }, (_, n) => entry(many, 'deposit.credited', 'available', BigInt(n + 1))),
    )
  })

  const file = async (query: string) => {
    const url = `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/ledger/entries${query}`
    const response = await fetch(url, { headers: { ...headers, accept: 'text/csv' } })
    return { response, lines: (await response.text()).split('\r\n') }
  }

  test('are listed page by page, each once', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Page = await entriesOf(`&sort=ASC${cursor && `&cursor=${cursor}`}`, headers)
      expect([page.total, page.totalPages]).toEqual([count, 13])
      seen.push(...page.entries.map(({ postings }) => postings[0]?.amount ?? ''))
      cursor = page.nextCursor
    }
    expect(seen.map(units)).toEqual(Array.from({ length: count }, (_, n) => BigInt(n + 1)))
    const third = await entriesOf('&sort=ASC&page=3', headers)
    expect(third.entries.map(({ postings }) => postings[0]?.amount)).toEqual(seen.slice(200, 300))
  })

  test('are one file, in pieces, of every page', async () => {
    const { response, lines } = await file('?sort=ASC&limit=2&page=3')
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([200, 'text/csv; charset=utf-8; header=present', 'attachment; filename="entries.csv"'])
    const [head, ...rows] = lines
    expect(head).toBe(
      'entry,time,kind,cause,reference,session,account,asset,amount,symbol,description,reverses,part,fiat,currency,rate,payee,merchant_reference,transaction,corrects',
    )
    expect(rows.pop()).toBe('')
    expect(rows.map((row) => units(row.split(',')[8]))).toEqual(
      Array.from({ length: count }, (_, n) => BigInt(n + 1)),
    )
    expect((await file(`?asset=${eth}`)).lines).toEqual([head, ''])
  })

  test('a file counts as many requests as its length costs', async () => {
    const remaining = async () =>
      Number(/;r=(\d+);/.exec((await get('/balances', headers)).headers.get('ratelimit') ?? '')?.[1])
    const before = await remaining()
    await file('')
    expect(before - (await remaining())).toBeGreaterThan(2)
  })
})

const units = (text: string | undefined): bigint => {
  const [whole = '', fraction = ''] = (text ?? '').split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}
