import { expect, test } from '@jest/globals'
import { agoText, queueLabel, splitQueues } from './healthLabels.ts'

const now = '2026-11-30T12:00:00Z'

test('an age is in the largest unit that says something', () => {
  const ages = ['11:59:57', '11:58:00', '11:15:00', '02:00:00'].map((at) => agoText(`2026-11-30T${at}Z`, now))
  expect([...ages, agoText('2026-11-20T12:00:00Z', now), agoText('2026-11-30T12:00:05Z', now)]).toEqual([
    '3 s ago',
    '2 min ago',
    '45 min ago',
    '10 h ago',
    '10 days ago',
    '0 s ago',
  ])
})

test('a queue is shown in words', () => expect(queueLabel('session-payment')).toBe('Session payment'))

test('a queue whose numbers are not known is not called idle', () => {
  const idle = { waiting: 0, active: 0, delayed: 0, failed: 0 }
  const queue = (name: string, more: object = {}) => ({
    queue: name,
    jobs: idle,
    oldestAt: null,
    unfinished: null,
    unfinishedSince: null,
    dead: 0,
    ...more,
  })
  const { busy } = splitQueues([
    queue('a'),
    queue('b', { jobs: null }),
    queue('c', { dead: 1 }),
    queue('d', { jobs: { ...idle, failed: 1 } }),
  ])
  expect(busy.map((each) => each.queue)).toEqual(['b', 'c', 'd'])
})
