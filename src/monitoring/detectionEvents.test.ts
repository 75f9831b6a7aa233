import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  type DetectionState,
  detectionEvents,
  type PublishedState,
  publishedStateOf,
} from './detectionEvents.ts'

test.each<[string, DetectionState, PublishedState | null, string]>([
  ['is there', { status: 'seen', generation: 1 }, null, 'detected'],
  [
    'was confirmed before its first event',
    { status: 'confirmed', generation: 1 },
    null,
    'detected confirmed',
  ],
  ['was seen and reverted before its first event', { status: 'reverted', generation: 1 }, null, ''],
  [
    'was confirmed since',
    { status: 'confirmed', generation: 1 },
    { published: 'detected', generation: 1 },
    'confirmed',
  ],
  ['is unchanged', { status: 'confirmed', generation: 1 }, { published: 'confirmed', generation: 1 }, ''],
  [
    'was reverted',
    { status: 'reverted', generation: 1 },
    { published: 'confirmed', generation: 1 },
    'reverted',
  ],
  [
    'was reverted, which is published',
    { status: 'reverted', generation: 1 },
    { published: 'reverted', generation: 1 },
    '',
  ],
  ['was seen again', { status: 'seen', generation: 2 }, { published: 'reverted', generation: 1 }, 'detected'],
  [
    'was reverted and seen again',
    { status: 'confirmed', generation: 2 },
    { published: 'confirmed', generation: 1 },
    'reverted detected confirmed',
  ],
  [
    'was reverted, seen again and reverted',
    { status: 'reverted', generation: 2 },
    { published: 'detected', generation: 1 },
    'reverted',
  ],
])('of a detection that %s', (_what, now, last, events) => {
  expect(
    detectionEvents(now, last)
      .map((type) => type.replace('transaction.', ''))
      .join(' '),
  ).toBe(events)
})

const steps = fc.array(
  fc.record({
    to: fc.constantFrom('confirm' as const, 'revert' as const, 'revive' as const),
    ask: fc.boolean(),
  }),
  {
    maxLength: 40,
  },
)

test('the published events always form a legal sequence, and the last one is the truth', () => {
  fc.assert(
    fc.property(steps, (history) => {
      let now: DetectionState = { status: 'seen', generation: 1 }
      let last: PublishedState | null = null
      let word = ''
      const ask = () => {
        const events = detectionEvents(now, last)
        if (events.length > 0) last = publishedStateOf(now)
        word += events.map((type) => type.replace('transaction.', '').charAt(0)).join('')
      }
      for (const { to, ask: asks } of history) {
        if (to === 'confirm' && now.status === 'seen') now = { ...now, status: 'confirmed' }
        if (to === 'revert') now = { ...now, status: 'reverted' }
        if (to === 'revive' && now.status === 'reverted')
          now = { status: 'seen', generation: now.generation + 1 }
        if (asks) ask()
      }
      ask()
      ask()
      expect(word).toMatch(/^(dc?r)*(dc?)?$/)
      expect(word.at(-1) ?? 'r').toBe({ seen: 'd', confirmed: 'c', reverted: 'r' }[now.status])
    }),
  )
})
