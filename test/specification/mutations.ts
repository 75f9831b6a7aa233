import type { Contract, Operation } from '../../api/contract.ts'
import type { Demand, Fields, SpecifiedOperation } from './demands.ts'
import { builtOperation, errorsOf } from './holds.ts'

// Ways to break a contract, one promise at a time, each with the one miss that the check has to report.

/** A schema in the mutated contract. */
interface Node {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  'x-default'?: unknown
  maximum?: number
  required?: string[]
  properties?: Record<string, Node>
  items?: Node
}

export interface Mutation {
  miss: string
  /** Changes an operation of a contract without references. */
  apply(operation: Operation): void
}

/**
 * The contract with a copy in the place of each reference, so that a change of one operation leaves the
 * others as they are.
 */
export function withoutReferences(contract: Contract): Contract {
  const copy = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(copy)
    if (node === null || typeof node !== 'object') return node
    const { $ref, ...own } = node as { $ref?: string }
    const entries = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, copy(value)]))
    return $ref ? { ...(copy(at(contract, $ref)) as object), ...entries } : entries
  }
  return { ...contract, paths: copy(contract.paths) as Contract['paths'] }
}

const at = (contract: Contract, reference: string) =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], contract)

const schemaIn = (node: unknown): Node | undefined =>
  (node as { content?: { 'application/json'?: { schema: Node } } } | undefined)?.content?.['application/json']
    ?.schema

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Node
}

const queryOf = (operation: Operation) => (operation.parameters ?? []) as Parameter[]

const parameterOf = (operation: Operation, name: string): Parameter => {
  const found = queryOf(operation).find((each) => each.in === 'query' && each.name === name)
  if (!found) throw new Error(`no parameter ${name}`)
  return found
}

/** In each successful answer: all must meet the demands. */
const answersOf = (operation: Operation) =>
  Object.entries(operation.responses).flatMap(([status, each]) =>
    status.startsWith('2') ? [schemaIn(each)] : [],
  )

/** Finds the demanded parts in a copy of the operation. */
type Find = (operation: Operation) => Node[]

const changeOf =
  (find: Find, change: (schema: Node) => void): Mutation['apply'] =>
  (operation) => {
    for (const schema of find(operation)) change(schema)
  }

/** Every change of an operation that removes something demanded. */
export function mutationsOf(specified: SpecifiedOperation, contract: Contract): Mutation[] {
  const { name, query = {}, body = {}, answer } = specified
  const original = builtOperation(specified, contract)
  if (!original) throw new Error(`${name} is not built`)
  const bodies: Find = (operation) => [schemaIn(operation.requestBody) ?? {}]
  const answers: Find = (operation) => answersOf(operation).flatMap((schema) => schema ?? [])
  const mutations = [
    ...ofFields('body', body, bodies, original),
    ...ofBodyPresence(body, bodies),
    ...ofQuery(query, original),
    ...(answer ? [...ofFields('answer', answer, answers, original), ofNoAnswer] : []),
    ...ofCredentials(specified),
    ...errorsOf(specified).map((status) => ofError(status)),
  ]
  return mutations.map(({ miss, apply }) => ({ miss: `${name} ${miss}`, apply }))
}

const ofFields = (where: string, fields: Fields, find: Find, original: Operation): Mutation[] =>
  Object.entries(fields).flatMap(([field, demand]) => [
    {
      miss: `${where}.${field} is missing`,
      apply: changeOf(find, ({ properties }) => delete properties?.[field]),
    },
    ...ofDemand(
      `${where}.${field}`,
      demand,
      (operation) => find(operation).flatMap(({ properties }) => properties?.[field] ?? []),
      original,
    ),
  ])

function ofDemand(where: string, demand: Demand, find: Find, original: Operation): Mutation[] {
  const { type, values = [], max, items, fields = {} } = demand
  const nullable = find(original).some((schema) => [schema.type].flat().includes('null'))
  const set = (miss: string, change: (schema: Node) => Node): Mutation => ({
    miss: `${where} ${miss}`,
    apply: changeOf(find, (schema) => Object.assign(schema, change(schema))),
  })
  return [
    set(`is not of type ${type}`, () => ({ type: nullable ? ['null'] : [] })),
    ...(nullable ? [] : [set('can be null', (schema) => ({ type: [schema.type ?? [], 'null'].flat() }))]),
    ...values.map((value) =>
      set(`does not allow ${value}`, (schema) => ({
        enum: (schema.enum ?? []).filter((each) => each !== value),
        const: undefined,
      })),
    ),
    ...(demand.default === undefined ? [] : [undefined, 'another']).map((other) =>
      set(`has another default than ${demand.default}`, () => ({ default: other, 'x-default': other })),
    ),
    ...(max === undefined ? [] : [max - 1, max + 1]).map((other) =>
      set(`has another maximum than ${max}`, () => ({ maximum: other })),
    ),
    ...(items
      ? ofDemand(
          `${where}[]`,
          items,
          (operation) => find(operation).flatMap((schema) => schema.items ?? []),
          original,
        )
      : []),
    ...ofFields(where, fields, find, original),
  ]
}

function ofBodyPresence(body: Fields, find: Find): Mutation[] {
  const names = Object.keys(body)
  if (names.length === 0) return []
  const requireField = (field: string) =>
    changeOf(find, (schema) => Object.assign(schema, { required: [...(schema.required ?? []), field] }))
  const withPresence = (presence: Demand['presence']) =>
    names.filter((field) => body[field]?.presence === presence)
  return [
    ...withPresence('required').map((field) => ({
      miss: `body.${field} is not required`,
      apply: changeOf(find, (schema) =>
        Object.assign(schema, { required: schema.required?.filter((each) => each !== field) }),
      ),
    })),
    ...withPresence('optional').map((field) => ({
      miss: `body.${field} is required`,
      apply: requireField(field),
    })),
    {
      miss: 'body.more is required, and not specified',
      apply(operation) {
        changeOf(find, (schema) => Object.assign(schema, { properties: { ...schema.properties, more: {} } }))(
          operation,
        )
        requireField('more')(operation)
      },
    },
  ]
}

/** The schema of one value, where a query may have several: none of these is specified as a list. */
const oneOf = (schema: Node): Node => schema.items ?? schema

const ofQuery = (query: Fields, original: Operation): Mutation[] => [
  ...Object.entries(query).flatMap(([field, demand]) => [
    {
      miss: `query.${field} is missing`,
      apply: (operation: Operation) => {
        operation.parameters = queryOf(operation).filter((each) => each.name !== field)
      },
    },
    ...ofDemand(
      `query.${field}`,
      demand,
      (operation) => [oneOf(parameterOf(operation, field).schema)],
      original,
    ),
    {
      miss: `query.${field} is required`,
      apply: (operation: Operation) => {
        parameterOf(operation, field).required = true
      },
    },
  ]),
  {
    miss: 'query.more is required, and not specified',
    apply(operation) {
      operation.parameters = [
        ...queryOf(operation),
        { name: 'more', in: 'query', required: true, schema: {} },
      ]
    },
  },
]

const ofNoAnswer: Mutation = {
  miss: 'has no answer',
  apply({ responses }) {
    for (const status of Object.keys(responses)) if (status.startsWith('2')) responses[status] = {}
  },
}

function ofCredentials({ credentials }: SpecifiedOperation): Mutation[] {
  const accepting = (miss: string, security: object[]): Mutation => ({
    miss,
    apply(operation) {
      operation.security = security
    },
  })
  const [key, token] = [{ apiKey: [] }, { bearer: [] }]
  if (credentials === 'public') return [accepting('asks for credentials', [key, token])]
  return [
    accepting('is public', [key, token, {}]),
    accepting('takes no access token', [key]),
    ...(credentials ? [] : [accepting('takes no API key', [token])]),
  ]
}

const ofError = (status: string): Mutation => ({
  miss: `describes no error ${status}`,
  apply: ({ responses }) => delete responses[status],
})
