import type { Catalogue } from './catalogue.ts'

/** client/contract/events.ts: the event types as one union, discriminated by `type`. */
export function clientTypes({ events }: Catalogue): string {
  return `import type { components } from './api.ts'

type Schemas = components['schemas']

/** Bodies of webhooks by type. */
export interface EventsByType {
${events.map(({ type, schemaName, description }) => `  /** ${description} */\n  '${type}': Schemas['${schemaName}']`).join('\n')}
}

export type EventType = keyof EventsByType
/** The body of a webhook, of any type known to this version: later versions add more. */
export type CowryEvent = EventsByType[EventType]
`
}

/** client/contract/eventExamples.ts: bodies for testing a receiver. */
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

/** Complete bodies of each type, at least one. */
export const eventExamples: { [Type in keyof EventsByType]: [EventsByType[Type], ...EventsByType[Type][]] } = {
${entries.join('\n')}
}
`
}
