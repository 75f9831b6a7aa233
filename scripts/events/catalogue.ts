import { type Contract, loadContract } from '../../api/contract.ts'

/** The part of JSON Schema that this catalogue uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  description?: string
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean
  items?: Schema
  oneOf?: Schema[]
}

export interface EventBody {
  type: string
  timestamp: string
  version: number
  sequence: number
  data: Record<string, unknown>
}

/** An event type in the contract. */
export interface CataloguedEvent {
  type: string
  topic: string
  summary: string
  /** When it is sent. */
  description: string
  /** The component of its body. */
  schemaName: string
  examples: { summary: string | null; body: EventBody }[]
}

export interface Catalogue {
  events: CataloguedEvent[]
  /** All components used in bodies. */
  schemas: Record<string, Schema>
}

interface Webhook {
  'x-topic': string
  post: {
    summary: string
    description: string
    requestBody: {
      content: {
        'application/json': { schema: { $ref: string }; examples: Record<string, { $ref: string }> }
      }
    }
  }
}

/** @throws if an event lacks a required part */
export function catalogueOf(contract: Contract): Catalogue {
  const { schemas = {}, examples = {} } = contract.components as {
    schemas?: Record<string, Schema>
    examples?: Record<string, object>
  }
  const events = Object.entries(contract.webhooks as Record<string, Webhook>).map(
    ([type, { 'x-topic': topic, post }]) => {
      const content = post.requestBody.content['application/json']
      const shown = Object.values(content.examples).map(
        ({ $ref }) => examples[nameIn($ref)] as { summary?: string; value: EventBody } | undefined,
      )
      if (!type.startsWith(`${topic}.`)) throw new Error(`${type} is not in the topic ${topic}`)
      if (shown.length === 0 || shown.includes(undefined)) throw new Error(`${type} has no example`)
      return {
        type,
        topic,
        summary: post.summary,
        description: post.description,
        schemaName: nameIn(content.schema.$ref),
        examples: shown.flatMap((example) =>
          example ? [{ summary: example.summary ?? null, body: example.value }] : [],
        ),
      }
    },
  )
  return { events, schemas }
}

export const loadCatalogue = (): Catalogue => catalogueOf(loadContract())

/** The last part of a reference. */
export const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/**
 * The target of a reference, with the fields next to the reference merged over it. @throws if there is no
 * target
 */
export function resolve(schemas: Record<string, Schema>, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const { $ref, ...beside } = schema
  const path = $ref.replace('#/components/schemas/', '').split('/')
  const target = path.reduce<unknown>(
    (at, part) => (at as Record<string, unknown> | undefined)?.[part],
    schemas,
  )
  if (target === undefined) throw new Error(`${$ref} is not in the contract`)
  return { ...resolve(schemas, target as Schema), ...beside }
}
