import type { Catalogue } from './catalogue.ts'

/** client/contract/events.ts: the types of events as one union, told apart by `type`. */
export function clientTypes({ events }: Catalogue): string {
  return `import type { components } from './api.ts'

type Schemas = components['schemas']

/** What the body of a webhook is, by its type. */
export interface EventsByType {
${events.map(({ type, schemaName, description }) => `  /** ${description} */\n  '${type}': Schemas['${schemaName}']`).join('\n')}
}

export type EventType = keyof EventsByType
/** The body of a webhook of a type that is known so far: there will be more. */
export type CowryEvent = EventsByType[EventType]
`
}

/** client/contract/eventExamples.ts: bodies to try a receiver with. */
export function clientExamples({ events }: Catalogue): string {
  const entries = events.map(
    ({ type, examples }) =>
      `  ${JSON.stringify(type)}: ${JSON.stringify(
        examples.map(({ body }) => body),
        null,
        2,
      ).replaceAll('\n', '\n  ')},`,
  )
  return `import type { EventsByType } from './events.ts'

/** Whole bodies of each type; there is one at least. */
export const eventExamples: { [Type in keyof EventsByType]: [EventsByType[Type], ...EventsByType[Type][]] } = {
${entries.join('\n')}
}
`
}
