/** Event types by topic, in the order of the choices. */
export const topics = [
  {
    topic: 'transaction',
    label: 'Transactions',
    hint: 'Each movement, of payments and of monitored addresses.',
    types: [
      { type: 'transaction.detected', hint: 'It was seen in a block.' },
      { type: 'transaction.confirmed', hint: 'It is final.' },
      { type: 'transaction.reverted', hint: 'The chain took it back.' },
    ],
  },
  {
    topic: 'session',
    label: 'Payment sessions',
    hint: 'The progress of a payment that you requested.',
    types: [
      { type: 'session.detected', hint: 'A payment was seen, and is not final yet.' },
      { type: 'session.paid', hint: 'It is paid.' },
      { type: 'session.underpaid', hint: 'Less came than was requested.' },
      { type: 'session.overpaid', hint: 'More came than was requested.' },
      { type: 'session.late', hint: 'A payment came after its deadline.' },
      { type: 'session.expired', hint: 'Its deadline has passed.' },
      { type: 'session.cancelled', hint: 'It was cancelled.' },
      { type: 'session.reversed', hint: 'The chain took a payment back.' },
    ],
  },
  {
    topic: 'transfer',
    label: 'Transfers',
    hint: 'The progress of a transfer that you send.',
    types: [
      { type: 'transfer.confirmed', hint: 'It is final.' },
      { type: 'transfer.failed', hint: 'The chain refused it.' },
      { type: 'transfer.expired', hint: 'It was in no block in time.' },
    ],
  },
  {
    topic: 'endpoint',
    label: 'Endpoints',
    hint: 'Webhooks themselves.',
    types: [
      { type: 'endpoint.paused', hint: 'Cowry paused an endpoint.' },
      { type: 'endpoint.test', hint: 'The test that you send from its page.' },
    ],
  },
] as const

/** `session.*` */
export const allOf = (topic: string): string => `${topic}.*`

const known: ReadonlySet<string> = new Set(topics.flatMap(({ topic, types }) => [allOf(topic), ...types.map(({ type }) => type)]))

/** An endpoint's types that have no checkbox. */
export const unknownTypes = (types: readonly string[]): string[] => types.filter((type) => !known.has(type))

/** A whole topic makes its single types unnecessary. */
export function withoutRedundant(types: readonly string[]): string[] {
  const whole = new Set(types.filter((type) => type.endsWith('.*')))
  return types.filter((type) => whole.has(type) || !whole.has(allOf(topicOf(type))))
}

const topicOf = (type: string): string => type.slice(0, type.indexOf('.'))

const maxShown = 3

/** An endpoint's types in a few words. */
export function takenInWords(types: readonly string[] | null): string {
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
