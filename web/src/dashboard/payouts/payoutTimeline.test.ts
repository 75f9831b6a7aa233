import { expect, test } from '@jest/globals'
import { payoutTimeline } from './payoutTimeline.ts'

const [created, decided, updated, completed] = [1, 2, 3, 4].map(
  (hour) => `2026-11-25T0${hour}:00:00.000Z`,
) as [string, string, string, string]
const pending = {
  status: 'pending' as const,
  automatic: false,
  approval: null,
  reason: null,
  paidElsewhere: null,
  createdAt: created,
  updatedAt: updated,
  completedAt: null,
}
const approved = { id: 'a', state: 'approved' as const, expiresAt: completed, decidedAt: decided }
const shown = (payout: Partial<Parameters<typeof payoutTimeline>[0]>) =>
  payoutTimeline({ ...pending, ...payout }).map(({ at, title }) => [at, title])

test('a payout shows its creation, the decision about it, and its end', () => {
  expect(shown({})).toEqual([[created, 'Created']])
  expect(shown({ approval: { ...approved, state: 'waiting', decidedAt: null } })).toEqual([
    [created, 'Created'],
  ])
  expect(shown({ status: 'completed', approval: approved, completedAt: completed })).toEqual([
    [created, 'Created'],
    [decided, 'Approved by a second owner'],
    [completed, 'Paid'],
  ])
  expect(
    shown({ status: 'completed', automatic: true, paidElsewhere: 'receipt 7', completedAt: completed }),
  ).toEqual([
    [created, 'Created when its payment was final'],
    [completed, 'Paid in another way'],
  ])
  expect(shown({ status: 'cancelled', reason: 'paid_elsewhere', paidElsewhere: 'receipt 7' }).at(-1)).toEqual(
    [updated, 'Marked as paid elsewhere'],
  )
})

test('a payout that the bank returned shows both times', () => {
  expect(shown({ status: 'returned', completedAt: decided })).toEqual([
    [created, 'Created'],
    [decided, 'Paid'],
    [updated, 'Returned by the bank'],
  ])
})

test('a failed payout gives the reason, at the time that it failed', () => {
  expect(payoutTimeline({ ...pending, status: 'failed', reason: 'screening_denied' }).at(-1)).toEqual({
    at: updated,
    title: 'Failed',
    tone: 'bad',
    detail: 'Screening denied it',
  })
})
