import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { openDirect } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/ids.ts'
import { idOfNumber } from '../src/platform/pages.ts'
import { addMember, addPerson, sessionOf } from '../test/support/dashboardSession.ts'
import { type ListedRows, listedRows, type NewRow, type RowsOf } from '../test/support/listedRows.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { makeSuspense } from '../test/support/madeSuspense.ts'
import { type PagedList, plainId, severalOf, timed } from '../test/support/pagedLists.ts'
import { makeRecords, type SampleRecords, sampleOf } from '../test/support/sampleRequests.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { type LoggedPlans, watchLoggedPlans } from './loggedPlans.ts'
import { insertMany, manyRows } from './manyListed.ts'
import { spread } from './measure.ts'
import type { PlanSummary } from './plans.ts'
import { asInProduction } from './processes.ts'
import { progress } from './progress.ts'
import { type Figure, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

// npm run bench -- lists --rows=20000 --only=listSweeps --only=listWebhooks
const { rows: count, only } = readOptions()
const bench = 'lists'
const aimMs = 50
const calls = 7
/** So that all rows take more than a day: bounds of ids leave an hour to clocks. */
const stepMs = 1000
/** Of so many rows one is in the second state. */
const oneIn = 500

type Query = readonly (readonly [name: string, value: string | number])[]

interface Filled {
  name: string
  reader: PagedList
  rows: NewRow[]
}

interface Asked {
  pool: Pool
  stack: Stack
  of: RowsOf
  records: SampleRecords
  headers: Record<'api' | 'dashboard' | 'operator', Record<string, string>>
}

/** Every list with pages, with 100,000 rows of a business and as many of another, through the API's process. */
export async function benchAllLists(scope: Scope): Promise<Report> {
  const env = { ...asInProduction(), RATE_LIMIT_BUSINESS: '1000000', RATE_LIMIT_ADDRESS: '1000000' }
  const stack = scope.keep(
    await createStack({ chains: ['ethereum', 'base'], bridge: true, processes: ['api'], env }),
    (each) => each.close(),
  )
  const [owner, operator] = await Promise.all([
    addMember(stack, stack.businessId, 'owner'),
    addPerson(stack, { operator: true }),
  ])
  const records = await makeRecords(stack)
  await makeSuspense(stack.db, 5_000_000n)
  const [other, suspended, otherSuspended] = [newId(), newId(), newId()]
  for (const id of [other, suspended, otherSuspended]) await insertBusiness(stack.db, id)
  await stack.db.query("update businesses set approval = 'suspended' where id = any($1)", [
    [suspended, otherSuspended],
  ])
  const of = { business: stack.businessId, owner: owner.id, suspended }
  const beside = { business: other, owner: owner.id, suspended: otherSuspended }
  const asked: Asked = {
    pool: scope.keep(
      new Pool(`http://127.0.0.1:${stack.processes.get('api')?.port()}`, { connections: 1 }),
      (pool) => pool.close(),
    ),
    ...{ stack, of, records },
    headers: {
      api: { 'x-api-key': stack.apiKey },
      dashboard: (await sessionOf(stack, owner)).headers,
      operator: (await sessionOf(stack, operator)).headers,
    },
  }
  const filled = await fill(stack, of, beside)
  const times = new Map<string, number[]>()
  for (const each of filled) {
    progress(`${bench}: ${each.name}`)
    for (const { what, query } of await questionsOf(asked, each)) {
      const all: number[] = []
      for (let i = 0; i < calls; i++) {
        const started = performance.now()
        await read(asked, each.reader, query)
        all.push(performance.now() - started)
      }
      times.set(`${each.name}, ${what}`, all.slice(1))
    }
  }
  const plans = scope.keep(await watchLoggedPlans(stack.databaseUrl), (each) => each.stop())
  const figures: Figure[] = []
  for (const each of filled) figures.push(...(await figuresOf(asked, each, times, plans)))
  return {
    figures,
    notes: [
      `lists: ${count.toLocaleString('en')} rows of a business (of the platform: ${(2 * count).toLocaleString('en')}) and as many of another, one in ${oneIn} of them in the rare state; one client, ${calls - 1} requests for each after a first one, 20 rows a page, through the API's process. "Rows examined" are those of all statements of the request, with the caller's credential.`,
    ],
  }
}

/** Each list once: that of the API, if it is there and in the dashboard. The verification host has one of the dashboard's. */
function readersByName(): Map<string, PagedList> {
  const readers = new Map<string, PagedList>()
  for (const each of timed) {
    if (each.audience === 'verification') continue
    const name = plainId(each.listed.operation)
    if (!readers.has(name) && (only.length === 0 || only.includes(name))) readers.set(name, each)
  }
  return readers
}

async function fill(stack: Stack, of: RowsOf, beside: RowsOf): Promise<Filled[]> {
  const direct = await openDirect(stack.databaseUrl, 'cowry bench')
  // In as many digits each, which rows pad.
  let unique = 0x10000000
  const nextUnique = () => ++unique
  const filled: Filled[] = []
  // Later than all that exists, in a partition that exists.
  const from = Math.ceil(Date.now() / 1000) * 1000 + 600_000
  try {
    for (const [name, reader] of readersByName()) {
      progress(`${bench}: rows of ${name}`)
      const listed = listedRows[name] as ListedRows
      const made = [of, beside].map((_, i) =>
        manyRows(listed, { count, from: from + (i * stepMs) / 2, stepMs, oneIn }, nextUnique),
      )
      await insertMany(direct, [of, beside], listed, made)
      filled.push({ name, reader, rows: made[0]?.slice(-(listed.most?.rows ?? count)) ?? [] })
    }
    progress(`${bench}: vacuum`)
    await direct.query('vacuum (analyze)')
  } finally {
    await direct.close()
  }
  return filled
}

async function questionsOf(asked: Asked, { name, reader, rows }: Filled) {
  const { contract, listed } = reader
  const half = Math.floor(rows.length / 2)
  const middle = rows[half] as NewRow
  const place = listedRows[name]?.isNumbered ? idOfNumber(middle.id) : middle.id
  const at = (i: number) => rows[i]?.at.toISOString() ?? ''
  const cursorOf = async (query: Query): Promise<Query> => {
    const { nextCursor } = await read(asked, reader, query)
    if (nextCursor === null) return query
    const [before = '', digest] = nextCursor.split('=')
    const [list] = Buffer.from(before, 'base64url').toString().split(':')
    return [...query, ['cursor', `${Buffer.from(`${list}:${place}`).toString('base64url')}=${digest}`]]
  }
  const questions: { what: string; query: Query }[] = [
    { what: 'first page', query: [] },
    { what: 'oldest first', query: [['sort', 'ASC']] },
    ...(rows.length < 10_000 ? [] : [{ what: 'page 500', query: [['page', 500]] as const }]),
    { what: 'middle page by cursor', query: await cursorOf([]) },
    {
      what: 'since and until',
      query: [
        ['since', at(half)],
        ['until', at(half + Math.floor(rows.length / 100))],
      ],
    },
    { what: 'until, long ago', query: [['until', at(Math.floor(rows.length / 100))]] },
  ]
  const parameter = severalOf(contract, listed.operation)[0]
  const [usual, rare] = Object.keys(listedRows[name]?.states ?? {})
  if (parameter && usual && rare) {
    const state = (...values: string[]): Query => values.map((value) => [parameter.name, value] as const)
    const none = parameter.schema?.items?.enum?.filter((each) => each !== usual && each !== rare) ?? []
    questions.push(
      { what: 'the usual state', query: state(usual) },
      { what: 'a rare state', query: state(rare) },
      { what: 'a rare state by cursor', query: await cursorOf(state(rare)) },
      { what: 'both states', query: state(usual, rare) },
      { what: 'both states by cursor', query: await cursorOf(state(usual, rare)) },
    )
    if (none.length > 0) questions.push({ what: 'all states without rows', query: state(...none) })
  }
  return questions
}

async function figuresOf(
  asked: Asked,
  each: Filled,
  times: ReadonlyMap<string, number[]>,
  plans: LoggedPlans,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { what, query } of await questionsOf(asked, each)) {
    const plan = await plans.during(() => read(asked, each.reader, query))
    const measured = spread(times.get(`${each.name}, ${what}`) ?? [])
    figures.push(
      figure(bench, `${each.name}, ${what}`, measured, 'ms', {
        extra: shown(plan),
        aim: `within ${aimMs} ms, no full scan`,
        met: measured.median <= aimMs && plan.offences.every((one) => !one.startsWith('full scan')),
      }),
    )
  }
  return figures
}

const shown = ({ rows, offences }: PlanSummary): string =>
  [`${rows.toLocaleString('en')} rows examined`, ...offences].join('; ')

async function read({ pool, of, records, headers }: Asked, reader: PagedList, query: Query) {
  const { audience, listed } = reader
  const name = plainId(listed.operation)
  const [sample = ''] = sampleOf(listed, records).path.split('?')
  const path = name === 'listHeldTransfers' ? sample.replace(of.business, of.suspended) : sample
  const search = new URLSearchParams(name === 'listWebhooks' ? { type: '*' } : {})
  for (const [key, value] of query) search.append(key, String(value))
  const ofDashboard = listed.operation['x-role'] === 'operator' ? headers.operator : headers.dashboard
  const response = await pool.request({
    path: `${audience === 'api' ? '/api/v1' : '/dashboard/api'}${path}?${search}`,
    method: 'GET',
    headers: audience === 'api' ? headers.api : ofDashboard,
  })
  const text = await response.body.text()
  if (response.statusCode !== 200)
    throw new Error(`${name} ${search} answered ${response.statusCode}: ${text}`)
  return JSON.parse(text) as { nextCursor: string | null }
}

function readOptions(): { rows: number; only: string[] } {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '100000' },
      only: { type: 'string', multiple: true, default: [] },
    },
    strict: false,
  })
  return { rows: Number(values.rows), only: (values.only as string[]) ?? [] }
}
