import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { piecesOf, rarestPiece, searchedText } from './searchedText.ts'

test('the searched text is the one of the index, without which each search would read all rows', () => {
  const migration = readFileSync(join(import.meta.dirname, '../../migrations/0206-session-search.ts'), 'utf8')
  expect(migration).toContain(searchedText)
})

test.each([
  ['ab', []],
  ['a-b c.d', []],
  ['abc', ['abc']],
  ['0004', ['0004']],
  ['inv-2026-01', ['inv', '2026']],
  ['abcdefgh', ['abcdef', 'bcdefg', 'cdefgh']],
  ['réf', ['réf']],
  ['100%_x', ['100']],
])('of %j the index looks up %j', (part, pieces) => expect(piecesOf(part)).toEqual(pieces))

test('what the references of a business have in common is not what is looked up', () => {
  const texts = ['inv-2026-0000417', 'inv-2026-0000418', 'inv-2026-0000419']
  expect(rarestPiece(piecesOf('inv-2026-0012345'), texts)).toBe('012345')
  expect(rarestPiece(piecesOf('4321/inv-2026'), texts)).toBe('4321')
  expect(rarestPiece([], texts)).toBeUndefined()
})
