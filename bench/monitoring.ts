import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { loadWatchList } from '../indexers/watchList.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import { foldMonitoredCounts } from '../src/monitoring/foldMonitoredCounts.ts'
import { listMonitored } from '../src/monitoring/listMonitored.ts'
import { openDirect } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/ids.ts'
import { splitQuery } from '../src/platform/pages.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { startChild } from './child.ts'
import type { Held, Hold } from './heldMemory.ts'
import { measureLists, type Question } from './lists.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { monitorSynthetic, syntheticMonitored } from './monitoredRows.ts'
import { asInProduction, cpuMsOf } from './processes.ts'
import { progress } from './progress.ts'
import { digits, type Figure, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'monitoring'
const rounds = 5
const warmUp = 2
const addsPerRound = 300
const bulkRounds = 5
const bulk = 10_000
const { bytes, normalise } = addressCodec('evm')

const note = `1,000,000 monitored addresses of one business on Ethereum. Memory is the difference of heap and array buffers after garbage collection, in a process of its own that loads them from Postgres as the indexer does. One address: ${rounds} rounds of ${addsPerRound}, one client, POST /monitoring/addresses in turn with one bare statement that inserts the same two rows, and with reading the tail of the watch list, which must then contain the address. ${bulk.toLocaleString('en')} addresses: ${bulkRounds} calls of POST /monitoring/addresses/bulk, each until its addition is completed, in turn with one bare statement that inserts the same rows. Ratios are of times.`

/** Cost of one more monitored address next to a million, and memory of the million in the indexer. */
export async function* benchMonitoring(scope: Scope): AsyncGenerator<Report> {
  const stack = scope.keep(
    await createStack({ processes: ['api', 'worker'], env: asInProduction() }),
    (each) => each.close(),
  )
  await monitorSynthetic(stack.databaseUrl, stack.businessId)
  const pool = scope.keep(
    new Pool(`http://127.0.0.1:${stack.processes.get('api')?.port()}`, { connections: 1 }),
    (each) => each.close(),
  )

  progress('measuring memory')
  const held = await memoryOf(stack)
  const memory = figure(
    bench,
    "the indexer's watch list, 1,000,000 monitored addresses",
    spread([held / 1e6]),
    'MB',
    {
      aim: 'under 60 MB',
      met: held / 1e6 < 60,
    },
  )
  yield { figures: [memory], notes: [note] }
  yield { figures: await one(scope, stack, pool), notes: [] }
  yield { figures: await many(stack, pool), notes: [] }
  const [somewhere] = await stack.db.query<{ id: string; address: string }>(
    'select id, address from monitored_addresses where business_id = $1 and address = $2',
    [stack.businessId, `0x${syntheticMonitored(500_000).toString('hex')}`],
  )
  if (!somewhere) throw new Error('a monitored address is missing')
  // Maintenance does this every minute.
  await foldMonitoredCounts(stack.db)
  const list = {
    bench,
    path: '/monitoring/addresses',
    async answer(db: Parameters<typeof listMonitored>[0]['db'], query: Question['query']) {
      const { filter, request } = splitQuery(query)
      const { total, addresses } = await listMonitored({ db }, stack.businessId, filter, request)
      return { total, rows: addresses.length }
    },
  }
  const lists = await measureLists(scope, stack, list, [
    { what: 'no filter', query: {} },
    { what: 'page 500', query: { page: 500 } },
    { what: 'a cursor in the middle', query: { cursor: Buffer.from(somewhere.id).toString('base64url') } },
    { what: 'the oldest first, 100 a page', query: { sort: 'ASC', limit: 100 } },
    { what: 'a chain', query: { chain: 'ethereum' } },
    { what: 'a rare chain', query: { chain: 'base' }, total: 10 },
    { what: 'an address', query: { address: somewhere.address }, total: 1 },
  ])
  yield { figures: lists.figures, notes: [lists.note] }
  yield { figures: [await byId(pool, stack, somewhere.id)], notes: [] }
}

/** Bytes of the chain's watch list in memory. */
async function memoryOf(stack: Stack): Promise<number> {
  const child = startChild(new URL('./heldMemory.ts', import.meta.url), {}, ['--expose-gc'])
  try {
    await child.next()
    const answer = await child.ask<Held>({
      kind: 'list',
      count: 1_000_000,
      databaseUrl: stack.databaseUrl,
    } satisfies Hold)
    if (answer.held < (answer.reported ?? 0) * 0.99)
      throw new Error(`measured ${answer.held} bytes, but the list reports ${answer.reported}`)
    return answer.held
  } finally {
    await child.close()
  }
}

async function one(scope: Scope, stack: Stack, pool: Pool): Promise<Figure[]> {
  const direct = scope.keep(await openDirect(stack.databaseUrl, 'cowry bench'), (each) => each.close())
  const list = await loadWatchList(direct, 'evm', 'ethereum')
  const all = { bare: [] as number[], added: [] as number[], tail: [] as number[], select1: [] as number[] }
  const series = await interleave(`${bench}, one address`, { rounds, warmUp }, async (index) => {
    const times = {
      bare: [] as number[],
      added: [] as number[],
      tail: [] as number[],
      select1: [] as number[],
    }
    const cpuBefore = await cpuMsOf(stack.processes.get('api'))
    for (let i = 0; i < addsPerRound; i++) {
      times.bare.push(await ms(() => insertBare(stack, [randomAddress()])))
      const address = randomAddress()
      times.added.push(
        await ms(() =>
          add(
            pool,
            stack,
            '/monitoring/addresses',
            { chain: 'ethereum', address, metadata: { order: 'A-1' } },
            201,
          ),
        ),
      )
      times.tail.push(await ms(() => list.readTail()))
      if (!list.has(bytes(address)))
        throw new Error('an added address is missing from the list after its tail was read')
      times.select1.push(await ms(() => direct.query('select 1')))
    }
    if (index >= 0)
      for (const key of ['bare', 'added', 'tail', 'select1'] as const) all[key].push(...times[key])
    const [bare, added, tail, select1] = [times.bare, times.added, times.tail, times.select1].map((each) =>
      quantile(each, 0.5),
    ) as [number, number, number, number]
    return {
      bare,
      added,
      tail,
      select1,
      cpu: ((await cpuMsOf(stack.processes.get('api'))) - cpuBefore) / addsPerRound,
    }
  })
  const p50 = quantile(all.added, 0.5)
  const p99 = (values: readonly number[]) => `p99 ${digits(quantile(values, 0.99))} ms`
  return [
    figure(bench, 'bare insert of its two rows, p50', spread(series.bare), 'ms', {
      extra: p99(all.bare),
      ratio: 1,
    }),
    figure(bench, 'POST /monitoring/addresses, p50', spread(series.added), 'ms', {
      extra: `${p99(all.added)}, ${digits(spread(series.cpu).median)} ms CPU each`,
      ratio: ratio(series.added, series.bare),
      aim: 'under 5 ms',
      met: p50 < 5,
    }),
    figure(bench, 'select 1 on a connection of its own, p50', spread(series.select1), 'ms', {
      extra: p99(all.select1),
      ratio: 1,
    }),
    figure(bench, 'reading the tail after one was added, p50', spread(series.tail), 'ms', {
      extra: p99(all.tail),
      ratio: ratio(series.tail, series.select1),
    }),
  ]
}

async function many(stack: Stack, pool: Pool): Promise<Figure[]> {
  const series = await interleave(
    `${bench}, ${bulk.toLocaleString('en')} addresses`,
    { rounds: bulkRounds, warmUp: 1 },
    async () => {
      const addresses = Array.from({ length: bulk }, randomAddress)
      const bare = await ms(() => insertBare(stack, addresses))
      const body = {
        chain: 'ethereum',
        addresses: Array.from({ length: bulk }, () => ({ address: randomAddress() })),
      }
      const added = await ms(async () =>
        addedIn(stack, (await add(pool, stack, '/monitoring/addresses/bulk', body, 202)).id),
      )
      return { bare, added }
    },
  )
  return [
    figure(bench, '10,000 addresses, bare insert of their rows', spread(series.bare), 'ms', { ratio: 1 }),
    figure(bench, '10,000 addresses, one POST /monitoring/addresses/bulk', spread(series.added), 'ms', {
      extra: `${digits((bulk / spread(series.added).median) * 1000)} addresses/s`,
      ratio: ratio(series.added, series.bare),
    }),
  ]
}

async function byId(pool: Pool, stack: Stack, id: string): Promise<Figure> {
  const times: number[] = []
  for (let i = -20; i < 100; i++) {
    const took = await ms(async () => {
      const response = await pool.request({
        path: `/api/v1/monitoring/addresses/${id}`,
        method: 'GET',
        headers: { 'x-api-key': stack.apiKey },
      })
      const text = await response.body.text()
      if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}: ${text}`)
    })
    if (i >= 0) times.push(took)
  }
  return figure(bench, 'GET /monitoring/addresses/{id}, p50', spread([quantile(times, 0.5)]), 'ms', {
    extra: `p99 ${digits(quantile(times, 0.99))} ms`,
  })
}

const randomAddress = (): string => {
  const address = normalise(`0x${randomBytes(20).toString('hex')}`)
  if (!address) throw new Error('the codec rejected a random address')
  return address
}

/** Waits until an addition is completed. */
async function addedIn(stack: Stack, id: string): Promise<void> {
  await waitFor(
    'the addition',
    async () => (await stack.api('GET', `/monitoring/additions/${id}`)).body.status === 'completed',
    60_000,
  )
}

async function add(
  pool: Pool,
  stack: Stack,
  path: string,
  body: object,
  expected: number,
): Promise<{ id: string }> {
  const headers = { 'x-api-key': stack.apiKey, 'content-type': 'application/json' }
  const response = await pool.request({
    path: `/api/v1${path}`,
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const text = await response.body.text()
  if (response.statusCode !== expected)
    throw new Error(`POST ${path} answered ${response.statusCode}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as { id: string }
}

/** Inserts the two rows of each address without validation or authentication. */
async function insertBare(stack: Stack, addresses: readonly string[]): Promise<void> {
  const ids = addresses.map(newId)
  await stack.db.query(
    `with wanted as (select * from unnest($2::uuid[], $3::text[], $4::bytea[]) as w(id, address, bytes)),
     watching as (
       insert into watches (id, family, chain, address, business_id, purpose, subject_id) select id, 'evm', 'ethereum', bytes, $1, 'monitor', id from wanted)
     insert into monitored_addresses (id, business_id, chain, address, metadata) select id, $1, 'ethereum', address, '{"order":"A-1"}' from wanted`,
    [stack.businessId, ids, addresses, addresses.map((address) => Buffer.from(bytes(address)))],
  )
}

async function ms(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
