import { invalidParameters } from '../../src/platform/errors.ts'
import type { Contract, Operation } from '../contract.ts'
import { parametersOf } from './contractMistakes.ts'
import { schemasAt } from './schemaAt.ts'

type Query = Record<string, unknown>

/**
 * The query with a list for each parameter that takes several values: repeated (`status=paid&status=expired`),
 * with commas (`status=paid,expired`), or both. A value that is there twice counts once.
 */
export function severalValues(document: Contract, operation: Operation): (query: Query) => Query {
  const names = parametersOf(document, operation).flatMap((each) =>
    each.in === 'query' && schemasAt(document, each.schema, []).some(({ type }) => type === 'array')
      ? [each.name]
      : [],
  )
  return (query) => {
    const changed: Query = {}
    for (const name of names) {
      const given = query[name]
      // Without a value it is refused as any other parameter is.
      if (given === undefined || given === '') continue
      const texts = Array.isArray(given) ? given : [given]
      changed[name] = [
        ...new Set(texts.flatMap((text) => (typeof text === 'string' ? text.split(',') : [text]))),
      ]
    }
    return Object.keys(changed).length === 0 ? query : { ...query, ...changed }
  }
}

/**
 * The query with the present name in place of each former one (`x-alias-of`).
 * @throws ApiError 400 naming both, where both are given and differ
 */
export function underOneName(document: Contract, operation: Operation): (query: Query) => Query {
  const former = parametersOf(document, operation).flatMap(({ name, 'x-alias-of': present }) =>
    present === undefined ? [] : [{ name, present }],
  )
  return (query) => {
    let named = query
    for (const { name, present } of former) {
      const { [name]: value, ...rest } = named
      if (value === undefined) continue
      const other = rest[present]
      if (other !== undefined && Date.parse(String(other)) !== Date.parse(String(value)))
        throw invalidParameters(
          ...[name, present].map((field) => ({
            field,
            code: 'not_both' as const,
            message: `differs: ${name} is the former name of ${present}, so give one of the two`,
          })),
        )
      named = { ...rest, [present]: value }
    }
    return named
  }
}
