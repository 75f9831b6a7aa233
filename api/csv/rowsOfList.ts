import type { Contract, Operation } from '../contract.ts'

/** A JSON schema, as far as columns are derived from it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
}

interface Rows {
  /** The property of the answer that has them. */
  property: string
  /** Of one row. */
  schema: Schema
}

type Components = Contract['components']

/** The rows of an operation whose name says that it is a list; undefined for any other, or if it has two. */
export function rowsOfList(
  components: Components,
  { operationId, responses }: Pick<Operation, 'operationId' | 'responses'>,
): Rows | undefined {
  if (!operationId.startsWith('list')) return undefined
  const schema = answerOf(components, responses)?.content?.['application/json']?.schema
  const arrays = Object.entries(schema ? propertiesOf(components, schema) : {}).flatMap(
    ([property, of]): Rows[] => {
      const { items } = resolved(components, of)
      return items ? [{ property, schema: items }] : []
    },
  )
  const named = arrays.find(({ property }) => operationId.toLowerCase().includes(property.toLowerCase()))
  return arrays.length === 1 ? arrays[0] : named
}

type Response = { $ref?: string; content?: Record<string, { schema: Schema }> }

/** The answer 200 itself, where the operation refers to it. */
export function answerOf(
  components: Components,
  responses: Operation['responses'] | undefined,
): Response | undefined {
  const stated = responses?.['200'] as Response | undefined
  const [, , kind = '', name = ''] = stated?.$ref?.split('/') ?? []
  return kind === '' ? stated : components[kind]?.[name]
}

/** All properties of a schema, with those of what it is made of. */
export function propertiesOf(components: Components, of: Schema): Record<string, Schema> {
  const { allOf = [], oneOf = [], anyOf = [], properties = {} } = resolved(components, of)
  const parts = [...allOf, ...oneOf, ...anyOf].map((part) => propertiesOf(components, part))
  return Object.assign({}, ...parts, properties) as Record<string, Schema>
}

function resolved(components: Components, { $ref, ...schema }: Schema): Schema {
  if ($ref === undefined) return schema
  const [, , kind = '', name = ''] = $ref.split('/')
  return resolved(components, (components[kind]?.[name] ?? {}) as Schema)
}
