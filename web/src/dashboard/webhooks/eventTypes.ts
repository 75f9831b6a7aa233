import { eventTopics as topics } from '../../../../client/contract/eventTopics.ts'

export { topics }

/** `session.*` */
export const allOf = (topic: string): string => `${topic}.*`

const known: ReadonlySet<string> = new Set(
  topics.flatMap(({ topic, types }) => [allOf(topic), ...types.map(({ type }) => type)]),
)

export const isTypeChoice = (text: string): boolean => known.has(text)

/** An endpoint's types that have no checkbox. */
export const unknownTypes = (types: readonly string[]): string[] => types.filter((type) => !known.has(type))

/** A whole topic makes its single types unnecessary. */
export function withoutRedundant(types: readonly string[]): string[] {
  const whole = new Set(types.filter((type) => type.endsWith('.*')))
  return types.filter((type) => whole.has(type) || !whole.has(allOf(topicOf(type))))
}

const topicOf = (type: string): string => type.slice(0, type.indexOf('.'))

const maxShown = 3

/** An endpoint's types in short. */
export function takenText(types: readonly string[] | null): string {
  if (!types) return 'Everything'
  const shown = types.slice(0, maxShown).join(', ')
  return types.length > maxShown ? `${shown} and ${types.length - maxShown} more` : shown
}

/** Choices for the type of deliveries; `*` is all. */
export const typeChoices: { value: string; label: string }[] = [
  { value: '', label: 'All events' },
  ...topics.flatMap(({ topic, label, types }) => [
    { value: allOf(topic), label: `${label}: all` },
    ...types.map(({ type }) => ({ value: type, label: type })),
  ]),
]
