import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { snakeCaseProperties } from './rowNames.ts'

/** Files that use snake_case for a reason. */
const excepted: [path: RegExp, reason: string][] = [
  [/^src\/chains\//, 'nodes answer in snake_case'],
  [/^scripts\/dev\/fundTreasury\.ts$/, 'Horizon answers in snake_case'],
  [/^scripts\/alertsPage\.ts$/, 'annotations of Prometheus are in snake_case'],
  [/^(src|web\/src\/dashboard)\/payouts\/batches\//, 'counts are by state, as the contract names them'],
  [/^scripts\/pinImages\.ts$/, 'a registry of images answers in snake_case'],
]

const root = join(import.meta.dirname, '../..')
const found = globSync(
  '{api,bench,client,commands,indexers,migrations,queues,scripts,src,treasury,web/src}/**/*.{ts,tsx}',
  { cwd: root },
)
  .filter((file) => !/\.test\.tsx?$|\/(node_modules|generated|dist)\/|^client\/contract\//.test(file))
  .map((file) => ({ file, properties: snakeCaseProperties(file, readFileSync(join(root, file), 'utf8')) }))
  .filter(({ properties }) => properties.length > 0)

test('rows have camelCase properties: columns are renamed in the query', () => {
  const wrong = found.filter(({ file }) => !excepted.some(([path]) => path.test(file)))
  expect(
    wrong.flatMap(({ file, properties }) => properties.map((property) => `${file}:${property}`)),
  ).toEqual([])
})

test('every exception names a file that needs it', () => {
  expect(excepted.filter(([path]) => !found.some(({ file }) => path.test(file)))).toEqual([])
})

test.each([
  ['a type', 'interface Row {\n  created_at: Date\n}', ['2 created_at']],
  ['a type in place', 'db.query<{ id: string; event_id: string }>("")', ['1 event_id']],
  ['an access', 'const at = row.created_at ?? row["event_id"]', ['1 created_at', '1 event_id']],
  ['a pattern', 'rows.map(({ created_at, event_id: id }) => id)', ['1 created_at', '1 event_id']],
  [
    'neither SQL nor keys of an object that is made',
    'const made = { created_at: 1, of: "row.created_at" }; rows[created_at]; rows.createdAt; X.A_B',
    [],
  ],
])('finds %s', (_what, source, expected) => {
  expect(snakeCaseProperties('a.ts', source)).toEqual(expected)
})
