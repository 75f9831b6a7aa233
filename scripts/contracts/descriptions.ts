import type { Contract } from '../../api/contract.ts'

// What is described once, and holds in several places of a contract. A description beside a field always counts.

interface Part extends Record<string, unknown> {
  $ref?: string
  description?: string
  properties?: Record<string, Part>
  /** A schema with fields of the same name: what they say holds here too. */
  'x-described-by'?: string
}

const isPart = (node: unknown): node is Part =>
  typeof node === 'object' && node !== null && !Array.isArray(node)

/**
 * The contract with descriptions from elsewhere. `x-described-by: Session` takes those of a schema's fields;
 * the fields of each page of a list have those of `x-page-fields`; the body of an event has the summary of its
 * webhook, and its fields have those of `EventEnvelope`.
 */
export function withSharedDescriptions<Document extends Contract>(contract: Document): Document {
  const { 'x-page-fields': ofPages = {}, ...given } = contract as Document & {
    'x-page-fields'?: Record<string, string>
  }
  const whole = structuredClone(given) as unknown as Document
  const schemas = (whole.components.schemas ?? {}) as Record<string, Part>
  describeEvents(whole, schemas)
  eachPart(whole, (part) => {
    const { properties, 'x-described-by': name } = part
    if (!properties) return
    if ('page' in properties && 'totalPages' in properties) describe(properties, (field) => ofPages[field])
    if (name === undefined) return
    if (!schemas[name]) throw new Error(`x-described-by: there is no schema ${name}`)
    describe(properties, (field) => descriptionOf(schemas, name, field, properties[field]?.$ref))
  })
  eachPart(whole, (part) => {
    delete part['x-described-by']
  })
  return whole
}

function describe(properties: Record<string, Part>, textOf: (field: string) => string | undefined): void {
  for (const [field, schema] of Object.entries(properties)) {
    const description = schema.description ?? textOf(field)
    if (description !== undefined) properties[field] = { ...schema, description }
  }
}

/** Of a field of a named schema, which may have it from another, or from the schema that it refers to. */
function descriptionOf(
  schemas: Record<string, Part>,
  name: string,
  field: string,
  ownRef: string | undefined,
): string | undefined {
  const { properties = {}, 'x-described-by': next } = schemas[name] ?? {}
  const { description, $ref = '' } = properties[field] ?? {}
  if (description !== undefined) return description
  if (next !== undefined) return descriptionOf(schemas, next, field, ownRef)
  return $ref === ownRef ? undefined : schemas[nameIn($ref)]?.description
}

/** The last part of a reference. */
const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

interface Webhook {
  post: { summary: string; requestBody: { content: Record<string, { schema: { $ref: string } }> } }
}

function describeEvents(contract: Contract, schemas: Record<string, Part>): void {
  const { properties: envelope = {} } = schemas.EventEnvelope ?? {}
  for (const { post } of Object.values((contract.webhooks ?? {}) as Record<string, Webhook>)) {
    const { $ref = '' } = post.requestBody.content['application/json']?.schema ?? {}
    const body = schemas[nameIn($ref)]
    if (!body) continue
    body.description ??= `${post.summary}.`
    describe(body.properties ?? {}, (field) => envelope[field]?.description)
  }
}

function eachPart(node: unknown, visit: (part: Part) => void): void {
  if (Array.isArray(node)) for (const each of node) eachPart(each, visit)
  if (!isPart(node)) return
  visit(node)
  for (const [key, value] of Object.entries(node)) if (!isExample(key)) eachPart(value, visit)
}

const isExample = (key: string) => key === 'example' || key === 'examples'

/** Where a schema's field, a parameter or a component's schema of the contract has no description. */
export function undescribed(contract: Contract): string[] {
  const schemas = (contract.components.schemas ?? {}) as Record<string, Part>
  const isDescribed = (part: Part): boolean => {
    if (typeof part.description === 'string' && part.description.trim() !== '') return true
    if (part.$ref === undefined) return false
    const target = part.$ref.split('/').slice(1).reduce<unknown>(childOf, contract)
    return isPart(target) && isDescribed(target)
  }
  const named = Object.entries(schemas).map(([name, schema]): Place => [`components.schemas.${name}`, schema])
  return [...named, ...placesIn(contract)].flatMap(([path, part]) => (isDescribed(part) ? [] : [path]))
}

/** Where a field or parameter of the contract may be null and its description does not explain that. */
export function unexplainedNulls(contract: Contract): string[] {
  const targetOf = ({ $ref }: Part): Part | undefined => {
    const target = $ref?.split('/').slice(1).reduce<unknown>(childOf, contract)
    return isPart(target) ? target : undefined
  }
  const mayBeNull = (part: Part): boolean => {
    const { type, nullable, oneOf = [], anyOf = [] } = part
    const target = targetOf(part)
    return (
      [type].flat().includes('null') ||
      nullable === true ||
      [oneOf, anyOf].flat().some((each) => isPart(each) && mayBeNull(each)) ||
      (target !== undefined && mayBeNull(target))
    )
  }
  /** With that of a schema that it refers to: limits explain null once. */
  const textOf = (part: Part): string => {
    const target = targetOf(part)
    return `${part.description ?? ''} ${target ? textOf(target) : ''}`
  }
  return placesIn(contract).flatMap(([path, part]) =>
    mayBeNull(part) && !/\bnull\b/i.test(textOf(part)) ? [path] : [],
  )
}

type Place = [path: string, part: Part]

/** The fields of schemas and the parameters in a part of a contract. */
function placesIn(node: unknown, path: readonly string[] = []): Place[] {
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.entries(node).flatMap(([key, value]) =>
    isExample(key) ? [] : placesIn(value, [...path, key]),
  )
  if (!isPart(node)) return inside
  const { in: of, name, properties } = node
  const parameter: Place[] =
    typeof of === 'string' && typeof name === 'string' ? [[path.join('.'), node]] : []
  const fields = isPart(properties) ? Object.entries(properties) : []
  return [
    ...parameter,
    ...fields.flatMap(([field, schema]): Place[] =>
      isPart(schema) ? [[[...path, field].join('.'), schema]] : [],
    ),
    ...inside,
  ]
}

const childOf = (at: unknown, part: string): unknown => (isPart(at) ? at[part] : undefined)
