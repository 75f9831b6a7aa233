import { expect, test } from '@jest/globals'
import { collectionTimeline } from './collectionTimeline.ts'

const at = (minute: string) => `2026-11-25T10:${minute}:00.000Z`
const made = {
  status: 'pending',
  reason: null,
  settlement: 'none',
  expiresAt: null,
  createdAt: at('00'),
  updatedAt: at('00'),
} as const

test('a new collection has been created, and nothing more', () => {
  expect(collectionTimeline(made)).toEqual([{ at: at('00'), title: 'Created' }])
})

test('the last change has the state, its reason, and what the chain has', () => {
  expect(
    collectionTimeline({
      ...made,
      status: 'completed',
      reason: 'settlement_too_little',
      settlement: 'mismatch',
      updatedAt: at('09'),
    }),
  ).toEqual([
    { at: at('00'), title: 'Created' },
    {
      at: at('09'),
      title: 'Last change',
      tone: 'good',
      detail: 'Completed. Less crypto came than the partner named. Settlement on the chain: does not match.',
    },
  ])
})

test('the end of the time to pay has its own line, in the order of time', () => {
  const expired = { ...made, status: 'expired', expiresAt: at('30') } as const
  const titles = (updatedAt: string) =>
    collectionTimeline({ ...expired, updatedAt }).map(({ title }) => title)
  expect(titles(at('31'))).toEqual(['Created', 'The time to pay was over', 'Last change'])
  expect(titles(at('29'))).toEqual(['Created', 'Last change', 'The time to pay was over'])
  expect(collectionTimeline({ ...expired, status: 'processing', updatedAt: at('01') })).toHaveLength(2)
})
