import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { rowsOfList } from '../../api/csv/rowsOfList.ts'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { storeKey } from '../../src/apiKeys/storeKey.ts'
import { newId } from '../../src/platform/ids.ts'
import { addBusiness, addMember, addPerson, sessionOf } from '../support/dashboardSession.ts'
import {
  idAt,
  insertListed,
  type ListedRows,
  listedRows,
  type NewRow,
  type RowsOf,
} from '../support/listedRows.ts'
import { makeSuspense } from '../support/madeSuspense.ts'
import { makeVerificationKey } from '../support/madeVerifications.ts'
import { type PagedList, parametersOf, plainId, severalOf, timed } from '../support/pagedLists.ts'
import { type ListedOperation, makeRecords, type SampleRecords, sampleOf } from '../support/sampleRequests.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { verificationUrl } from '../support/verificationHost.ts'

// Every list of the API and of the dashboard takes the same parameters, and means the same by them. The lists
// are those of the contracts: a new one without rows here fails.

test.each(timed.map((each) => [`${each.audience} ${each.listed.operation.operationId}`, each] as const))(
  '%s takes since, until, sort, cursor and limit, and its states as a list',
  (_name, { contract, listed: { operation } }) => {
    const names = parametersOf(contract, operation).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['since', 'until', 'sort', 'cursor', 'limit']))
    const stated = names.filter((name) => ['status', 'state', 'exception', 'approval'].includes(name))
    expect(severalOf(contract, operation).map(({ name }) => name)).toEqual(stated)
    expect(listedRows[plainId(operation)]).toBeDefined()
  },
)

const count = 12
const stepMs = 1000

interface Listed {
  rows: Record<string, unknown>[]
  nextCursor: string | null
}

let stack: Stack
let of: RowsOf
let records: SampleRecords
let base: number
/** The credentials of those whose rows they are, and of strangers. */
const headers: Record<
  'api' | 'dashboard' | 'operator' | 'verification' | 'strange' | 'strangeDashboard' | 'strangeVerification',
  Record<string, string>
> = {
  api: {},
  dashboard: {},
  operator: {},
  verification: {},
  strange: {},
  strangeDashboard: {},
  strangeVerification: {},
}

beforeAll(async () => {
  stack = await createStack({
    chains: ['ethereum', 'base'],
    bridge: true,
    processes: ['api', 'verification'],
  })
  const [owner, stranger, operator] = await Promise.all([
    addMember(stack, stack.businessId, 'owner'),
    addPerson(stack),
    addPerson(stack, { operator: true }),
  ])
  records = await makeRecords(stack)
  const strangers = await addBusiness(stack, stranger)
  headers.api = { 'x-api-key': stack.apiKey }
  const key = generateApiKey('test')
  await storeKey(stack, { businessId: strangers, name: 'stranger', scope: 'write', key })
  headers.strange = { 'x-api-key': key.reveal() }
  headers.verification = await verificationKey(stack.businessId)
  headers.strangeVerification = await verificationKey(strangers)
  const suspended = newId()
  await stack.db.query("insert into businesses (id, name, approval) values ($1, 'Suspended', 'suspended')", [
    suspended,
  ])
  headers.dashboard = (await sessionOf(stack, owner)).headers
  headers.strangeDashboard = (await sessionOf(stack, stranger)).headers
  headers.operator = (await sessionOf(stack, operator)).headers
  await makeSuspense(stack.db, 5_000_000n)
  of = { business: stack.businessId, owner: owner.id, suspended }
  // Later than all that exists, so that a time selects the rows of a test.
  base = Math.ceil(Date.now() / stepMs) * stepMs + 3_600_000
})
afterAll(() => stack?.close())

type Query = [name: string, value: string | number][]

interface Answered {
  status: number
  body: Listed & { fields?: { field: string; message: string; code?: string }[] }
}

/** Reads a list. The sample request has its path. */
async function read(
  { audience, contract, listed }: PagedList,
  query: Query,
  as: Record<string, string> = headersOf(audience, listed),
): Promise<Answered> {
  const [path = ''] = audience === 'verification' ? [listed.path] : sampleOf(listed, records).path.split('?')
  const of = plainId(listed.operation) === 'listHeldTransfers' ? held(path) : path
  const extra: Query = plainId(listed.operation) === 'listWebhooks' ? [['type', '*']] : []
  const search = new URLSearchParams()
  for (const [name, value] of [...extra, ...query]) search.append(name, String(value))
  const response = await fetch(`${hostOf(audience)}${of}?${search}`, { headers: as })
  const body = (await response.json()) as Record<string, unknown>
  const property = rowsOfList(contract.components, listed.operation)?.property ?? ''
  return { status: response.status, body: { ...body, rows: body[property] } as Answered['body'] }
}
const held = (path: string) => path.replace(of.business, of.suspended)

function hostOf(audience: string): string {
  if (audience === 'verification') return verificationUrl(stack)
  const host = `http://127.0.0.1:${stack.processes.get('api')?.port()}`
  return `${host}${audience === 'api' ? '/api/v1' : '/dashboard/api'}`
}

const verificationKey = async (businessId: string) => ({
  authorization: `Bearer ${(await makeVerificationKey(stack.db, businessId, 'secret')).secret.reveal()}`,
})

const headersOf = (audience: string, { operation }: ListedOperation) => {
  if (audience === 'api') return headers.api
  if (audience === 'verification') return headers.verification
  return operation['x-role'] === 'operator' ? headers.operator : headers.dashboard
}

async function idsIn(of: PagedList, query: Query): Promise<string[]> {
  const { status, body } = await read(of, query)
  expect([status, body.fields]).toEqual([200, undefined])
  return body.rows.map(({ id }) => String(id))
}

/** All rows, by the pages; `between` is called after each. */
async function follow(of: PagedList, query: Query, between?: () => Promise<void>) {
  const all: string[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < 50; pages++) {
    const { status, body } = await read(of, [...query, ['limit', 5], ...(cursor ? cursorOf(cursor) : [])])
    expect([status, body.fields]).toEqual([200, undefined])
    all.push(...body.rows.map(({ id }) => String(id)))
    cursor = body.nextCursor
    if (cursor === null) return all
    await between?.()
  }
  throw new Error('the pages have no end')
}
const cursorOf = (cursor: string): Query => [['cursor', cursor]]

/** The same place, of another list. */
const otherList = (cursor: string): string => {
  const [, id = ''] = Buffer.from(cursor, 'base64url').toString().split(':')
  return Buffer.from(`listOthers:${id}`).toString('base64url')
}

let unique = 0
/** Rows a second apart, in two states by turns. */
const newRows = (listed: ListedRows, from: number, n: number): NewRow[] => {
  const states = Object.keys(listed.states ?? {})
  return Array.from({ length: n }, (_, i) => {
    const at = new Date(from + i * stepMs)
    unique++
    return { id: idAt(at, listed, unique), at, state: states[i % 2], unique }
  })
}

const time = (ms: number) => new Date(ms).toISOString()

describe.each(Object.keys(listedRows))('%s', (name) => {
  const rows = listedRows[name] as ListedRows
  const readers = timed.filter(({ listed }) => plainId(listed.operation) === name)
  const states = Object.keys(rows.states ?? {})
  let made: NewRow[]
  let start: number
  let window: Query
  const ids = (from = 0, to = count) => made.slice(from, to).map(({ id }) => id)

  beforeAll(async () => {
    start = base
    // Each list has times of its own: some share a table.
    base += 600_000
    window = [
      ['since', time(start)],
      ['until', time(start + 300_000)],
    ]
    made = newRows(rows, start, count)
    await insertListed(stack.db, of, rows, made)
  })

  test('since is inclusive, until is not, and sort is the newest first or the oldest', async () => {
    expect(readers.length).toBeGreaterThan(0)
    for (const reader of readers) {
      const some: Query = [
        ['since', time(start + 3 * stepMs)],
        ['until', time(start + 9 * stepMs)],
      ]
      expect(await idsIn(reader, [...some, ['sort', 'ASC']])).toEqual(ids(3, 9))
      expect(await idsIn(reader, [...some, ['sort', 'DESC']])).toEqual(ids(3, 9).toReversed())
      const backwards = await read(reader, [
        ['since', time(start)],
        ['until', time(start)],
      ])
      expect([backwards.status, backwards.body.fields?.map(({ field }) => field)]).toEqual([400, ['until']])
    }
  })

  if (states.length > 0)
    test('several states are those of any, and an unknown one is named with those that there are', async () => {
      const [first, second] = states as [string, string]
      for (const reader of readers) {
        const { contract, listed } = reader
        const several = severalOf(contract, listed.operation)
        const parameter = several[0]?.name ?? ''
        const asc: Query = [...window, ['sort', 'ASC']]
        expect(await idsIn(reader, [...asc, [parameter, first]])).toEqual(
          made.filter(({ state }) => state === first).map(({ id }) => id),
        )
        expect(await idsIn(reader, [...asc, [parameter, first], [parameter, second]])).toEqual(ids())
        expect(await idsIn(reader, [...asc, [parameter, `${first},${second}`]])).toEqual(ids())
        for (const { name: of } of several) {
          const { status, body } = await read(reader, [
            [of, `${first},nonesuch`],
            [of, 'another'],
          ])
          expect(status).toBe(400)
          const named = body.fields?.filter(({ field }) => field === of).map(({ message }) => message)
          expect(named).toEqual(
            expect.arrayContaining([
              expect.stringMatching(/^nonesuch must be one of .+, .+/),
              expect.stringMatching(/^another must be one of .+, .+/),
            ]),
          )
        }
      }
    })

  test.each(['ASC', 'DESC'])('by cursor, %s, each row comes once while others are added', async (sort) => {
    for (const reader of readers) {
      const known = await idsIn(reader, [...window, ['sort', sort], ['limit', 100]])
      // Inside of the window: after all others, and between them.
      const add = () =>
        insertListed(stack.db, of, rows, [
          ...newRows(rows, start + 100_000 + unique * 10, 1),
          ...newRows(rows, start + 500 + (unique % 400), 1),
        ])
      const all = await follow(reader, [...window, ['sort', sort]], add)
      expect(new Set(all).size).toBe(all.length)
      expect(all.filter((id) => known.includes(id))).toEqual(known)
    }
  })

  test('a cursor of another filter, sort or list is refused, and one in another form of the same filter is taken', async () => {
    for (const reader of readers) {
      const { body } = await read(reader, [...window, ['limit', 2]])
      const cursor = body.nextCursor ?? ''
      const refused = async (query: Query) => {
        const { status, body } = await read(reader, query)
        expect([status, body.fields]).toEqual([
          400,
          [expect.objectContaining({ field: 'cursor', code: 'invalid_cursor' })],
        ])
      }
      const other = name === 'listDeadJobs' ? 'DESC' : 'ASC'
      await refused([...window, ['sort', other], ...cursorOf(cursor)])
      await refused([['since', time(start + stepMs)], ...cursorOf(cursor)])
      await refused([...window, ...cursorOf(otherList(cursor))])
      const offset = `${new Date(start + 3_600_000).toISOString().slice(0, -1)}+01:00`
      const same = await read(reader, [
        ['since', offset],
        ['until', time(start + 300_000)],
        ['limit', 1],
        ...cursorOf(cursor),
      ])
      expect(same.status).toBe(200)
    }
  })

  test('a stranger sees nothing of it', async () => {
    for (const reader of readers) {
      const as = {
        api: headers.strange,
        dashboard: headers.strangeDashboard,
        verification: headers.strangeVerification,
      }[reader.audience]
      const { status, body } = await read(reader, window, as)
      const isNamed = reader.audience === 'dashboard' || name === 'listRefunds'
      expect([403, 404].includes(status)).toBe(isNamed)
      if (!isNamed) expect([status, body.rows]).toEqual([200, []])
    }
  })
})

test('the addresses of an addition are in the order of its request, or backwards, by cursor as by page', async () => {
  const id = newId()
  await stack.db.query(
    "insert into monitoring_additions (id, business_id, chain, tokens, total, status) values ($1, $2, 'ethereum', 'known', 12, 'pending')",
    [id, of.business],
  )
  await stack.db.query(
    `insert into monitoring_addition_rows (addition_id, place, address)
     select $1, n, '0x' || lpad(to_hex(n), 40, 'c') from generate_series(0, 11) n`,
    [id],
  )
  const addresses = async (query: Query, as = headers.api) => {
    const search = new URLSearchParams()
    for (const [name, value] of query) search.append(name, String(value))
    return stack.api<{ addresses: { address: string }[]; nextCursor: string | null }>(
      'GET',
      `/monitoring/additions/${id}/addresses?${search}`,
      undefined,
      as,
    )
  }
  const lastOf = (found: { address: string }[]) =>
    found.map(({ address }) => Number.parseInt(address.slice(-2), 16) % 16)
  for (const sort of ['ASC', 'DESC']) {
    const all: number[] = []
    const byPage: number[] = []
    let cursor: string | null = null
    for (let page = 1; page <= 3; page++) {
      const { status, body } = await addresses([
        ['sort', sort],
        ['limit', 5],
        ...(cursor ? cursorOf(cursor) : []),
      ])
      expect(status).toBe(200)
      all.push(...lastOf(body.addresses))
      cursor = body.nextCursor
      byPage.push(
        ...lastOf(
          (
            await addresses([
              ['sort', sort],
              ['limit', 5],
              ['page', page],
            ])
          ).body.addresses,
        ),
      )
    }
    const inOrder = Array.from({ length: 12 }, (_, i) => i)
    expect([all, byPage, cursor]).toEqual([
      sort === 'ASC' ? inOrder : inOrder.toReversed(),
      sort === 'ASC' ? inOrder : inOrder.toReversed(),
      null,
    ])
  }
  const { body } = await addresses([['limit', 5]])
  expect((await addresses([['sort', 'DESC'], ...cursorOf(body.nextCursor ?? '')])).status).toBe(400)
  expect((await addresses([], headers.strange)).status).toBe(404)
})

describe('the former names of since and until in the audit log', () => {
  const audit = async (search: string) => {
    const host = `http://127.0.0.1:${stack.processes.get('api')?.port()}/dashboard/api`
    const response = await fetch(`${host}/businesses/${of.business}/audit?${search}`, {
      headers: headers.dashboard,
    })
    const body = (await response.json()) as { entries: { id: string }[]; fields?: { field: string }[] }
    return { status: response.status, ids: body.entries?.map(({ id }) => id), fields: body.fields }
  }

  test('mean the same', async () => {
    const [from, to] = [time(base - 3_600_000 * 2), time(base + 3_600_000)]
    const present = await audit(`since=${from}&until=${to}&limit=5`)
    expect(present.ids?.length).toBe(5)
    expect(await audit(`from=${from}&to=${to}&limit=5`)).toEqual(present)
    expect(await audit(`from=${from}&since=${from}&until=${to}&limit=5`)).toEqual(present)
  })

  test('beside a present name with another time, both are named', async () => {
    const { status, fields } = await audit('from=2026-11-01&since=2026-11-02')
    expect([status, fields?.map(({ field }) => field)]).toEqual([400, ['from', 'since']])
  })

  test('a date counts from its start and to its end', async () => {
    const dateOf = (ms: number) => time(ms).slice(0, 10)
    const { ids } = await audit(
      `since=${dateOf(Date.now() - 86_400_000)}&until=${dateOf(Date.now())}&limit=1`,
    )
    expect(ids).toHaveLength(1)
  })
})
