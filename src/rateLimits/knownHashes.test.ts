import { createHash } from 'node:crypto'
import { afterEach, expect, jest, test } from '@jest/globals'
import { knownHashes } from './knownHashes.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest()

afterEach(() => void jest.restoreAllMocks())

/** A table, and the clock of a process that reads it. */
function table(keptMs?: number) {
  const rows = new Set<string>()
  const asked: string[] = []
  let now = 1_000_000
  jest.spyOn(performance, 'now').mockImplementation(() => now)
  const known = knownHashes(async (firstId) => {
    asked.push(firstId)
    return [...rows].map(hashOf)
  }, keptMs)
  const mayHold = (text: string) => known.mayHold(hashOf(text))
  const pass = (ms: number) => {
    now += ms
  }
  return { rows, asked, mayHold, pass }
}

test('unknown hashes cause one read a second, for any number of checks', async () => {
  const { asked, mayHold, pass } = table()
  for (let second = 0; second < 3; second++) {
    const heard = await Promise.all(Array.from({ length: 500 }, (_, i) => mayHold(`invented ${second} ${i}`)))
    expect(heard).toEqual(heard.map(() => false))
    expect(asked).toHaveLength(second + 1)
    pass(1001)
  }
})

test('a known hash is served from memory; a new one is known a second later at the latest', async () => {
  const { rows, asked, mayHold, pass } = table()
  rows.add('old')
  expect(await mayHold('old')).toBe(true)
  rows.add('new')
  expect(await mayHold('new')).toBe(false)
  pass(1001)
  expect(await mayHold('new')).toBe(true)
  for (let i = 0; i < 100; i++) expect(await mayHold('old')).toBe(true)
  expect(asked).toHaveLength(2)
})

test('all rows are read first, then those of the last hour, and all again after ten minutes, so that ended ones are forgotten', async () => {
  const { rows, asked, mayHold, pass } = table()
  rows.add('revoked later')
  await mayHold('x')
  pass(1001)
  await mayHold('x')
  rows.clear()
  expect(await mayHold('revoked later')).toBe(true)
  pass(600_001)
  await mayHold('x')
  expect(await mayHold('revoked later')).toBe(false)
  const zero = '00000000-0000-0000-0000-000000000000'
  expect(asked.map((firstId) => firstId === zero)).toEqual([true, false, true])
})

test('a failed read is reported, and the next check reads again', async () => {
  let fails = true
  const known = knownHashes(async () => {
    if (fails) throw new Error('away')
    return [hashOf('a')]
  })
  await expect(known.mayHold(hashOf('a'))).rejects.toThrow('away')
  fails = false
  expect(await known.mayHold(hashOf('a'))).toBe(true)
})
