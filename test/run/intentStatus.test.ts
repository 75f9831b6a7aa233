import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

/**
 * The status of an intent is written in one place, from one pure function: src/txmgr/transition.ts,
 * nextState.ts.
 */

const root = join(import.meta.dirname, '../..')
const folders = ['api', 'commands', 'indexers', 'queues', 'scripts', 'src']
const files = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('node_modules'))
  .sort()
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Updates of `intents` whose `set` clause names the status. */
const statusWrites = (source: string): string[] =>
  [...source.matchAll(/\bupdate\s+intents\b(?<set>(?:(?!\bwhere\b|[`"']\s*[,)+]).)*)/gis)]
    .map((match) => match.groups?.set ?? '')
    .filter((set) => /(?:\bset|,)\s*status\s*=|\$\{/i.test(set))
const inserts = (source: string): boolean => /\binsert\s+into\s+intents\b/i.test(source)

test('finds each way to write a status', () => {
  const writes = [
    'db.query("update intents set status = \'failed\' where id = $1", [id])',
    "db.query(`update intents set reason = $2, message = $3,\n  status = case when $4 then 'signed' else status end where id = $1`)",
    `db.query(\`update intents set ${'$'}{sets} where id = $1\`)`,
    'db.query(`UPDATE intents SET Status=$2`)',
  ]
  for (const source of writes) expect([source, statusWrites(source).length]).toEqual([source, 1])
  const others = [
    'db.query("update intents set next_reconcile_at = now() where status = \'created\'")',
    "db.query('update intents set proof = $2 where id = $1', [id, status])",
    'db.query(`update intent_attempts set status = $1`)',
  ]
  for (const source of others) expect([source, statusWrites(source).length]).toEqual([source, 0])
  expect(inserts('insert into intents (id)')).toBe(true)
})

test('no other module writes the status of an intent', () => {
  expect(files).toContain('src/txmgr/transition.ts')
  expect(files.filter((file) => statusWrites(read(file)).length > 0)).toEqual(['src/txmgr/transition.ts'])
  expect(files.filter((file) => inserts(read(file)))).toEqual(['src/txmgr/intents.ts'])
  // The model of lists could write as well.
  expect(files.filter((file) => /\bintentModel\b/.test(read(file)))).toEqual([
    'src/swaps/listSwaps.ts',
    'src/transfers/listTransfers.ts',
    'src/txmgr/model.ts',
  ])
})
