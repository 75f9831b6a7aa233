import type { CsvValue } from '../../src/platform/csv.ts'
import type { Contract } from '../contract.ts'
import { propertiesOf, type Schema } from './rowsOfList.ts'

/** A field of a row; `fees.platform` is one of an object in it. */
export interface Column {
  name: string
  path: readonly string[]
}

/** Objects of objects are followed so far; what is deeper is one column. */
const maxDepth = 4

/** A column for each field of a row, in the order of its schema. */
export function listColumns(
  components: Contract['components'],
  schema: Schema,
  path: readonly string[] = [],
): Column[] {
  return Object.entries(propertiesOf(components, schema)).flatMap(([name, of]) => {
    const at = [...path, name]
    const inner = at.length < maxDepth ? listColumns(components, of, at) : []
    return inner.length > 0 ? inner : [{ name: at.join('.'), path: at }]
  })
}

/** What a row has in a column. Several texts are one with spaces between; anything else is JSON. */
export function cellOf(row: unknown, { path }: Column): CsvValue {
  const value = path.reduce<unknown>(
    (of, name) => (typeof of === 'object' && of !== null ? (of as Record<string, unknown>)[name] : undefined),
    row,
  )
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return isNumber.test(value) ? { number: value } : value
  if (typeof value === 'number' || typeof value === 'bigint') return { number: String(value) }
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(' ')
  return JSON.stringify(value)
}

/** A decimal of the API: a spreadsheet may read it, and its sign starts no formula. */
const isNumber = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/
