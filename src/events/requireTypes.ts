import type { FieldMistake } from '../platform/errors.ts'
import { hintOf } from '../platform/nearMiss.ts'
import { topicOf } from './recordEvents.ts'

/**
 * Checks a selection of event types.
 * @param known every type that capabilities record
 * @param fieldOf the field of the request that has the type
 */
export function requireTypes(
  known: readonly string[],
  types: readonly string[],
  fieldOf: (index: number) => string,
): FieldMistake[] {
  const all = new Set(known.flatMap((type) => [type, `${topicOf(type)}.*`]))
  return types.flatMap((type, i) =>
    all.has(type)
      ? []
      : [
          {
            field: fieldOf(i),
            message: `is not an event type or a topic such as session.*${hintOf(type, [...all])}`,
            code: 'unknown_value' as const,
          },
        ],
  )
}
