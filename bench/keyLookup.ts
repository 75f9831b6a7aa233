import { findKey } from '../src/apiKeys/findKey.ts'
import { generateApiKey, hashOfKey } from '../src/apiKeys/form.ts'
import { openDirect } from '../src/platform/database/db.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { profiled } from './profile.ts'
import { progress } from './progress.ts'
import { figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'api'
const keys = 1_000_000
const businesses = 100_000
const rounds = 5
const warmUp = 1
const keysPerRound = 1000
const aimMs = 0.3
/** DATABASE_POOL as in production. */
const databasePool = 10

/** Key lookup among a million rows, compared with `select 1` on the same pool. */
export async function benchKeyLookup(scope: Scope): Promise<Report> {
  const database = scope.keep(await createTestDatabase(databasePool), (each) => each.drop())
  const existing = generateKeys((warmUp + rounds) * keysPerRound)
  await fillTable(database, existing)
  const unknown = generateKeys(existing.length)

  const series = await profiled('keyLookup', () =>
    interleave(`${bench}, key lookup`, { rounds, warmUp }, async (index) => {
      const waits = { bare: [] as number[], found: [] as number[], unknown: [] as number[] }
      const lookups = [
        async () => waits.bare.push(await ms(() => database.db.query('select 1'))),
        async (at: number) => waits.found.push(await ms(() => requireFound(database, existing[at], true))),
        async (at: number) => waits.unknown.push(await ms(() => requireFound(database, unknown[at], false))),
      ]
      const first = (index + warmUp) * keysPerRound
      // Alternate the order, so that each query follows each of the others equally often.
      const orders = [
        [0, 1, 2],
        [0, 2, 1],
      ] as const
      for (let at = first; at < first + keysPerRound; at++)
        for (const lookup of orders[at % 2] ?? []) await lookups[lookup]?.(at)
      const [bare50, found50, unknown50] = [waits.bare, waits.found, waits.unknown].map((each) =>
        quantile(each, 0.5),
      ) as [number, number, number]
      const [bare99, found99, unknown99] = [waits.bare, waits.found, waits.unknown].map((each) =>
        quantile(each, 0.99),
      ) as [number, number, number]
      return { bare50, bare99, found50, found99, unknown50, unknown99 }
    }),
  )
  const p50 = spread(series.found50)
  const line = (what: string, values: number[], more: Parameters<typeof figure>[4]) =>
    figure(bench, what, spread(values), 'ms', more)
  return {
    figures: [
      line('select 1, p50', series.bare50, { ratio: 1 }),
      line('select 1, p99', series.bare99, { ratio: 1 }),
      line('a key among 1,000,000, p50', series.found50, {
        ratio: ratio(series.found50, series.bare50),
        aim: `under ${aimMs} ms`,
        met: p50.median < aimMs,
      }),
      line('a key among 1,000,000, p99', series.found99, { ratio: ratio(series.found99, series.bare99) }),
      line('an unknown key, p50', series.unknown50, { ratio: ratio(series.unknown50, series.bare50) }),
      line('an unknown key, p99', series.unknown99, { ratio: ratio(series.unknown99, series.bare99) }),
    ],
    notes: [
      `key lookup: ${keys.toLocaleString('en')} keys of ${businesses.toLocaleString('en')} businesses; ${(rounds * keysPerRound).toLocaleString('en')} of them at random places, each read once by findKey, sequentially and in turn with select 1 and with unknown keys, all through the same pool; the spread is that of ${rounds} rounds. Postgres has 128 MB of shared buffers, the table and its hash index are in the system's cache.`,
    ],
  }
}

const generateKeys = (count: number): string[] =>
  Array.from({ length: count }, () => generateApiKey('test').reveal())

async function requireFound(database: TestDatabase, key: string | undefined, there: boolean): Promise<void> {
  const found = await findKey(database, key ?? '')
  if ((found !== null) !== there) throw new Error(there ? 'a key was not found' : 'an unknown key was found')
}

async function ms(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Inserts all rows in one statement; the keys to read are spread evenly. */
async function fillTable(database: TestDatabase, sample: readonly string[]): Promise<void> {
  progress(`inserting ${keys.toLocaleString('en')} keys`)
  const direct = await openDirect(database.url, 'cowry bench')
  try {
    await direct.query(
      `insert into businesses (id, name) select gen_random_uuid(), 'Business ' || n from generate_series(1, $1::int) n`,
      [businesses],
    )
    await direct.query(
      `insert into api_keys (id, root_id, business_id, name, prefix, hash, scope)
       select n.id, n.id, b.id, 'Key ' || n.n, 'ak_test_0000', coalesce(s.hash, sha256(int8send(n.n))), 'write'
       from (select n, gen_random_uuid() as id from generate_series(1, $1::int) n) n
       join (select id, row_number() over () - 1 as at from businesses) b on b.at = n.n % $2::int
       left join unnest($3::bytea[]) with ordinality as s (hash, at) on n.n = s.at * $4::int`,
      [keys, businesses, sample.map(hashOfKey), Math.floor(keys / sample.length)],
    )
    await direct.query('vacuum (analyze) businesses, api_keys')
    const [row] = await direct.query<{ count: number }>('select count(*)::int as count from api_keys')
    if (row?.count !== keys) throw new Error(`${row?.count} keys were inserted instead of ${keys}`)
  } finally {
    await direct.close()
  }
}
