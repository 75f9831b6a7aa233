import type { Contract, Operation } from '../contract.ts'
import { parametersOf } from './contractMistakes.ts'
import { schemasAt } from './schemaAt.ts'

const day = /^\d{4}-\d\d-\d\d$/
/** These end a period, or are a moment of which a day has the last one. */
const ends = ['until', 'to', 'at']

/**
 * The query of a list with times in place of dates, in UTC: the start of the day for a start, and the start of
 * the next day for an end, which is no part of the period.
 */
export function datesAsTimes(document: Contract, operation: Operation): (query: Query) => Query {
  const names = parametersOf(document, operation).flatMap((each) =>
    each.in === 'query' && schemasAt(document, each.schema, []).some(({ format }) => format === 'date-time')
      ? [each.name]
      : [],
  )
  return (query) => {
    const changed: Query = {}
    for (const name of names) {
      const text = query[name]
      const time = typeof text === 'string' && day.test(text) ? timeOf(text, ends.includes(name)) : null
      if (time !== null) changed[name] = time
    }
    return Object.keys(changed).length === 0 ? query : { ...query, ...changed }
  }
}

type Query = Record<string, unknown>

/** Null for a day that does not exist: the contract refuses it. */
function timeOf(text: string, isEnd: boolean): string | null {
  const start = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(text)) return null
  return isEnd ? new Date(start.getTime() + 86_400_000).toISOString() : start.toISOString()
}
