import { expect, test } from '@jest/globals'
import { shortState } from './transferLabels.ts'
import { transferState } from './transferState.ts'
import { transferTimeline } from './transferTimeline.ts'
import type { Transfer } from './types.ts'

const [createdAt, decidedAt, updatedAt] = [
  '2026-11-30T10:00:00.000Z',
  '2026-11-30T11:00:00.000Z',
  '2026-11-30T12:00:00.000Z',
]
const transfer = (more: Partial<Transfer>): Transfer =>
  ({
    ...{
      id: 'a',
      chain: 'base',
      token: 'usdc',
      symbol: 'USDC',
      amount: '5',
      txHash: null,
      blockHeight: null,
    },
    ...{ status: 'pending', reason: null, message: null, createdAt, updatedAt },
    ...more,
  }) as Transfer
const approval = (state: 'waiting' | 'approved' | 'refused') => ({
  required: true,
  state,
  expiresAt: updatedAt,
  decidedAt: state === 'waiting' ? null : decidedAt,
})

test.each<[string, Partial<Transfer>, string, string]>([
  ['needs a second owner', { approval: approval('waiting') }, 'Waits for approval', 'Waits for approval'],
  ['is not signed yet', {}, 'Being sent', 'On its way'],
  ['is in the network', { txHash: '0x1' }, 'On its way', 'On its way'],
  ['is held', { reason: 'held', message: 'x' }, 'Waits', 'On its way'],
  ['is being cancelled', { reason: 'cancelling' }, 'Being cancelled', 'On its way'],
  ['is final', { status: 'confirmed', txHash: '0x1' }, 'Sent', 'Sent'],
  ['was cancelled', { status: 'failed', reason: 'cancelled' }, 'Cancelled', 'Cancelled'],
  ['has failed', { status: 'failed', reason: 'reverted' }, 'Failed', 'Failed'],
])('a transfer that %s says so', (_what, more, title, short) => {
  expect(transferState(transfer(more)).title).toBe(title)
  expect(shortState(transfer(more)).label).toBe(short)
})

test('a reason that is newer than this page is in the words of the API', () => {
  const failed = transfer({ status: 'failed', reason: 'something_new', message: 'It was new' })
  expect(transferState(failed).detail).toBe('It was new.')
  expect(transferState({ ...failed, message: null }).detail).toBe('something new.')
})

test('what a token keeps for itself is named', () => {
  const kept = transfer({ status: 'confirmed', amountReceived: '4.9', tokenFee: '0.1' })
  expect(transferState(kept).detail).toBe('4.9 USDC arrived: the token kept 0.1.')
  const whole = transfer({ status: 'confirmed', amount: '5', amountReceived: '5', tokenFee: '0' })
  expect(transferState(whole).detail).toBe('5 USDC arrived.')
})

test('its timeline has the decision of the second owner between request and end', () => {
  const sent = transfer({ status: 'confirmed', approval: approval('approved'), blockHeight: 7 })
  expect(transferTimeline(sent).map(({ at, title }) => [at, title])).toEqual([
    [createdAt, 'Requested'],
    [decidedAt, 'Approved by a second owner'],
    [updatedAt, 'Sent, in block 7'],
  ])
  expect(transferTimeline(transfer({ approval: approval('waiting') }))).toHaveLength(1)
})
