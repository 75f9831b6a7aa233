import { type FieldMistake, maxFields, shownField } from '../../src/platform/errors.ts'
import { hintOf } from '../../src/platform/nearMiss.ts'
import type { Contract, Operation } from '../contract.ts'
import { referred, type Schema, schemasAt } from './schemaAt.ts'
import { wordingOf } from './wordingOf.ts'

/** A part of a request, as the validator names it at the start of its paths. */
type Part = 'body' | 'query' | 'params' | 'headers' | 'cookies'

/** An error of the validator. */
export interface ContractError {
  path?: string
  message?: string
  /** `pattern.openapi.validation` */
  errorCode?: string
}

interface Parameter {
  $ref?: string
  in: string
  name: string
  schema?: Schema
  /** The present name of the parameter. */
  'x-alias-of'?: string
}

/** One wrong field, with the part of the request that it is in. */
export interface PlacedField extends FieldMistake {
  part: Part
}

export const parametersOf = (document: Contract, operation: Operation): Parameter[] =>
  ((operation.parameters ?? []) as Parameter[]).flatMap(
    (each) => (each.$ref === undefined ? each : referred<Parameter>(document, each.$ref)) ?? [],
  )

/** The schema of a JSON body, or of one parameter. */
function rootOf(document: Contract, operation: Operation, part: Part, name: string): Schema | undefined {
  if (part === 'body') return bodySchemaOf(document, operation)
  const place = { query: 'query', params: 'path', headers: 'header', cookies: 'cookie' }[part]
  return parametersOf(document, operation).find(
    (each) => each.in === place && each.name.toLowerCase() === name.toLowerCase(),
  )?.schema
}

type Media = { content?: Record<string, { schema?: Schema }>; $ref?: string }

function bodySchemaOf(document: Contract, { requestBody }: Operation): Schema | undefined {
  const given = requestBody as Media | undefined
  const body = given?.$ref === undefined ? given : referred<Media>(document, given.$ref)
  return body?.content?.['application/json']?.schema
}

interface RequestParts {
  body: unknown
  query: Record<string, unknown>
}

/**
 * What the validator found, by field, in words. Of several errors in one field, the first that matters is kept.
 * @param max fields to name
 */
export function contractMistakes(
  document: Contract,
  operation: Operation,
  { body, query }: RequestParts,
  errors: readonly ContractError[],
  max = maxFields,
): PlacedField[] {
  const found = new Map<string, PlacedField & { rank: number }>()
  for (const { path = '', errorCode = '', message = '' } of errors) {
    if (found.size >= max) break
    const [part = '', ...steps] = path.split('/').slice(1)
    if (!isPart(part)) continue
    const keyword = errorCode.split('.')[0] ?? ''
    // A parameter with several values is named as one with a single value.
    const named = part === 'query' ? steps.slice(0, 1) : steps
    const field = named.map(shownField).join('.') || part
    const place = `${part} ${steps.join('.')}`
    const root = rootOf(document, operation, part, steps[0] ?? '')
    const at = part === 'body' ? steps : steps.slice(1)
    const rank = rankOf(keyword)
    if ((found.get(place)?.rank ?? 99) <= rank) continue
    const given = part === 'body' ? valueAt(body, steps) : valueAt(query, steps)
    const schemas = (to: readonly string[]) => schemasAt(document, root, to)
    let wording = wordingOf({ keyword, value: given, isQuery: part === 'query', schemas: schemas(at) })
    if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
      wording = unknownField(steps.at(-1), namesOf(schemas(at.slice(0, -1))), operation)
    if (message.includes('must be url encoded')) wording = notEncoded
    if (isOneOfSeveral(query, part, steps))
      wording = { ...wording, message: `${shownValue(given)} ${wording.message}` }
    found.set(place, { part, field, ...wording, rank })
  }
  return [...found.values()].map(({ rank: _, ...each }) => each)
}

/** As short as the words that such parameters take: longer ones may be secrets. */
const shownValue = (value: unknown): string =>
  typeof value === 'string' && /^[\w-]{1,24}$/.test(value) ? value : 'one of the values'

/** One of several values of a parameter: its message says which. */
const isOneOfSeveral = (query: Record<string, unknown>, part: Part, [name = '', at]: readonly string[]) =>
  part === 'query' && at !== undefined && Array.isArray(query[name]) && query[name].length > 1

/** Parameters of the query that the operation does not know, or that have no value. */
export function queryMistakes(
  document: Contract,
  operation: Operation,
  query: Record<string, unknown>,
): PlacedField[] {
  const names = parametersOf(document, operation).flatMap((each) => (each.in === 'query' ? [each.name] : []))
  return Object.entries(query).flatMap(([name, value]): PlacedField[] => {
    const at = { part: 'query' as const, field: shownField(name) }
    if (!names.includes(name)) return [{ ...at, ...unknownField(name, names, operation) }]
    return value === '' ? [{ ...at, code: 'empty', message: 'must have a value, or be left out' }] : []
  })
}

/** Fields of another operation, which does what was meant. */
const elsewhere: Record<string, Record<string, string>> = {
  createSession: {
    accept: 'for a customer who chooses, POST /payment-links with accept and maxSessions: 1',
  },
}

function unknownField(name: string | undefined, names: readonly string[], { operationId }: Operation) {
  const other = elsewhere[operationId]?.[name ?? '']
  const hint = other === undefined ? hintOf(name, names) : `; ${other}`
  return { code: 'unknown_field', message: `is not a known field${hint}` } as const
}

const namesOf = (schemas: readonly Schema[]): string[] => [
  ...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties))),
]

const notEncoded = { code: 'invalid_form', message: 'must be percent-encoded' } as const

const isPart = (text: string): text is Part =>
  ['body', 'query', 'params', 'headers', 'cookies'].includes(text)

/** The error that says most first: what has a wrong type also breaks other rules. */
const ranks = [
  'required',
  'additionalProperties',
  'unevaluatedProperties',
  'type',
  'x-eov-type',
  'enum',
  'const',
  'format',
  'minLength',
  'maxLength',
  'pattern',
]

function rankOf(keyword: string): number {
  // They repeat what their alternatives say.
  if (['anyOf', 'oneOf', 'if', 'not'].includes(keyword)) return 90
  const at = ranks.indexOf(keyword)
  return at === -1 ? ranks.length : at
}

function valueAt(from: unknown, steps: readonly string[]): unknown {
  let value = from
  for (const step of steps)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string, unknown>)[step]
        : undefined
  return value
}
