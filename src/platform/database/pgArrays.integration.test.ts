import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { pgArray, pgArrayOrNull } from './pgArrays.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const asRead = async (values: readonly (string | null)[]) =>
  (
    await database.db.query<{ value: string | null }>('select value from unnest($1::text[]) as value', [
      pgArray(values),
    ])
  ).map(({ value }) => value)

test('Postgres reads each text as it was, with every sign that arrays treat specially', async () => {
  const special = [
    '',
    'null',
    'NULL',
    null,
    '"',
    '\\',
    '\\"',
    '{}',
    '{a,b}',
    ',',
    ' a ',
    "'",
    '\n',
    'ü',
    '💶',
    'a"b\\c',
  ]
  expect(await asRead(special)).toEqual(special)
  // A text with a zero or half a surrogate pair is no text for Postgres.
  const texts = fc.array(
    fc.option(fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed())),
    { maxLength: 20 },
  )
  await fc.assert(
    fc.asyncProperty(texts, async (values) => expect(await asRead(values)).toEqual(values)),
    { numRuns: 50 },
  )
})

test('numbers, no values, and columns without a value', async () => {
  expect(
    await database.db.query('select $1::bigint[] as a, $2::text[] as b', [
      pgArray([1, null, 30_000_000]),
      pgArray([]),
    ]),
  ).toEqual([{ a: ['1', null, '30000000'], b: [] }])
  expect(pgArrayOrNull([null, null])).toBeNull()
  expect(pgArrayOrNull([null, 'a'])).toBe('{NULL,"a"}')
})
