import { expect, test } from '@jest/globals'
import { anchors } from './anchors.ts'

// As GitHub makes them of these headings.
test.each([
  ['Getting started', 'getting-started'],
  ['What is sent, and when?', 'what-is-sent-and-when'],
  ['`transaction.detected`', 'transactiondetected'],
  ['payout_destinations', 'payout_destinations'],
  ['Redis – by Sentinel', 'redis--by-sentinel'],
  ['Yellow Card: 503', 'yellow-card-503'],
  ['Québec', 'québec'],
])('the anchor of %j is #%s', (heading, anchor) => expect(anchors()(heading)).toBe(anchor))

test('headings that repeat are numbered, on each page from the start', () => {
  const anchorOf = anchors()
  expect(['Errors', 'Errors', 'errors'].map(anchorOf)).toEqual(['errors', 'errors-1', 'errors-2'])
  expect(anchors()('Errors')).toBe('errors')
})
