/** What there is to be told, by topic, in the order in which it is offered. */
export const topics = [
  {
    topic: 'transaction',
    label: 'Transactions',
    hint: 'Each movement on its own, of payments and of monitored addresses.',
    types: [
      { type: 'transaction.detected', hint: 'It was seen in a block.' },
      { type: 'transaction.confirmed', hint: 'It is final.' },
      { type: 'transaction.reverted', hint: 'The chain took it back.' },
    ],
  },
  {
    topic: 'session',
    label: 'Payment sessions',
    hint: 'What becomes of a payment that you asked for.',
    types: [
      { type: 'session.detected', hint: 'A payment was seen, and is not final yet.' },
      { type: 'session.paid', hint: 'It is paid.' },
      { type: 'session.underpaid', hint: 'Less came than was asked for.' },
      { type: 'session.overpaid', hint: 'More came than was asked for.' },
      { type: 'session.late', hint: 'A payment came after its deadline.' },
      { type: 'session.expired', hint: 'Its deadline has passed.' },
      { type: 'session.cancelled', hint: 'Somebody cancelled it.' },
      { type: 'session.reversed', hint: 'The chain took a payment back.' },
    ],
  },
  {
    topic: 'transfer',
    label: 'Transfers',
    hint: 'What becomes of what you send.',
    types: [
      { type: 'transfer.confirmed', hint: 'It is final.' },
      { type: 'transfer.failed', hint: 'The chain refused it.' },
      { type: 'transfer.expired', hint: 'It came into no block in its time.' },
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

/** Those of an endpoint that no checkbox stands for. */
export const unknownTypes = (types: readonly string[]): string[] => types.filter((type) => !known.has(type))

/** A topic that is taken whole makes its single types needless. */
export function withoutNeedless(types: readonly string[]): string[] {
  const whole = new Set(types.filter((type) => type.endsWith('.*')))
  return types.filter((type) => whole.has(type) || !whole.has(allOf(topicOf(type))))
}

const topicOf = (type: string): string => type.slice(0, type.indexOf('.'))

const shownAtMost = 3

/** What an endpoint takes, in a few words. */
export function takenInWords(types: readonly string[] | null): string {
  if (!types) return 'Everything'
  const shown = types.slice(0, shownAtMost).join(', ')
  return types.length > shownAtMost ? `${shown} and ${types.length - shownAtMost} more` : shown
}

/** Everything that a list of deliveries can be narrowed to; `*` is all. */
export const typeChoices: { value: string; label: string }[] = [
  { value: '', label: 'All events' },
  ...topics.flatMap(({ topic, label, types }) => [
    { value: allOf(topic), label: `${label}: all` },
    ...types.map(({ type }) => ({ value: type, label: type })),
  ]),
]
