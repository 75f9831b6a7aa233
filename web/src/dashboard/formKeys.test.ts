import { expect, test } from '@jest/globals'
import { ConnectionError, CowryError } from '../../../client/index.ts'
import { createFormKeys, unansweredText } from './formKeys.ts'

test('a content has one key, also after another content; another form has other keys', () => {
  const keyOf = createFormKeys()
  const key = keyOf({ amount: '5', to: 'one' })
  const other = keyOf({ amount: '6', to: 'one' })
  expect(keyOf({ amount: '5', to: 'one' })).toBe(key)
  expect(new Set([key, other, createFormKeys()({ amount: '5', to: 'one' })]).size).toBe(3)
})

test('a lost answer and a request that still runs are explained; other errors stay', () => {
  const lost = new ConnectionError('no_answer', '')
  const running = new CowryError({ status: 409, code: 'request_in_progress', message: '' })
  const refused = new CowryError({ status: 422, code: 'insufficient_funds', message: '' })
  expect(unansweredText(lost, 'payout')).toMatchObject({
    message: expect.stringMatching(/^The answer was lost\. Press again: the payout is created once/),
  })
  expect(unansweredText(running, 'refund')).toMatchObject({
    message: 'The refund is still being created. Press again in a moment to see it.',
  })
  expect(unansweredText(refused, 'refund')).toBe(refused)
})
