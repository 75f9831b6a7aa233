import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ancestry, errorClasses, errorClassesIn } from '../../scripts/errors/errorClasses.ts'
import { errorClassesPage } from '../../scripts/errors/errorClassesPage.ts'

const classes = errorClasses()
const coded = classes.filter(({ name }) => !ancestry(name, classes).includes('ApiError'))

test('every error class extends BaseError, and its name ends in Error', () => {
  expect(classes.length).toBeGreaterThan(30)
  const strays = classes.filter(
    ({ name }) => name !== 'BaseError' && ancestry(name, classes).at(-2) !== 'BaseError',
  )
  expect(strays.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  expect(classes.filter(({ name }) => !name.endsWith('Error'))).toEqual([])
})

test('every error class has a code of its own, a retry and a meaning', () => {
  const own = coded.filter(({ name }) => name !== 'BaseError')
  expect(own.filter(({ code }) => code === null || !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([])
  const codes = own.map(({ code }) => code)
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  expect(own.filter(({ comment }) => comment === '')).toEqual([])
  expect(own.filter(({ retry, parent }) => retry === 'inherited' && parent === 'BaseError')).toEqual([])
})

test('docs/error-classes.md lists them', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/error-classes.md'), 'utf8')
  expect(page).toBe(errorClassesPage())
})

test('a class is found with its comment, code and retry', () => {
  const source = `/**
 * Too late.
 * Ever.
 */
export class LateError extends BaseError {
  readonly code: string = 'late'
  readonly retry: Retry
}
class Odd extends Error {}
class Other extends Map {}`
  const file = 'a.ts'
  expect(errorClassesIn(file, source)).toEqual([
    {
      name: 'LateError',
      parent: 'BaseError',
      file,
      code: 'late',
      retry: 'by its reason',
      comment: 'Too late. Ever.',
    },
    { name: 'Odd', parent: 'Error', file, code: null, retry: 'inherited', comment: '' },
  ])
})
