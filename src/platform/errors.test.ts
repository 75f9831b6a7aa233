import { describe, expect, test } from '@jest/globals'
import { ApiError, BaseError, internalFailure, messageOf, publicTextOf, resultOr } from './errors.ts'

class SampleError extends BaseError {
  readonly code = 'sample'
  readonly retry = 'no'
}

/** One of each form that `scrub` knows. */
const credentials = [
  `sk_live_${'a1'.repeat(16)}`,
  `whsec_${'b2'.repeat(16)}`,
  `refund_${'c3'.repeat(22).slice(0, 43)}`,
  `eyJ${'d4'.repeat(8)}.${'e5'.repeat(8)}.${'f6'.repeat(8)}`,
]

describe('the public text', () => {
  test('says nothing of the internal one, unless a class gives it one', () => {
    const error = new SampleError('node 10.0.0.7 answered 500')
    expect([error.name, error.message, error.publicText]).toEqual([
      'SampleError',
      'node 10.0.0.7 answered 500',
      internalFailure,
    ])
    expect(new SampleError('for us', { publicText: 'for you' }).publicText).toBe('for you')
  })

  test.each(credentials)('holds no credential: %s', (credential) => {
    const text = new SampleError('x', { publicText: `it is ${credential}!` }).publicText
    expect(text).not.toContain(credential.slice(-16))
    expect(text).toContain('[redacted]')
    expect(new ApiError(400, 'wrong', `it is ${credential}!`).publicText).not.toContain(credential.slice(-16))
  })

  test('of any other thrown value is that of an internal failure', () => {
    for (const thrown of [new Error('canary'), 'canary', null]) {
      expect(publicTextOf(thrown)).toBe(internalFailure)
      if (thrown !== null) expect(messageOf(thrown)).toBe('canary')
    }
    expect(publicTextOf(new SampleError('canary'))).toBe(internalFailure)
  })
})

test('an error of the API has its answer as code, and may have an internal text', () => {
  const error = new ApiError(500, 'Internal server error', 'Sorry', { internalText: 'division by zero' })
  expect(error).toMatchObject({
    code: 'Internal server error',
    message: 'division by zero',
    publicText: 'Sorry',
  })
})

test.each([
  [400, 'Invalid request body', 'no'],
  [409, 'request_in_progress', 'yes'],
  [409, 'payout_not_open', 'no'],
  [429, 'rate_limited', 'yes'],
  [500, 'Internal server error', 'unknown'],
  [503, 'unavailable', 'yes'],
  [504, 'partner_timeout', 'yes'],
] as const)('after %i %s, retry is %s', (status, error, retry) => {
  expect(new ApiError(status, error).retry).toBe(retry)
})

describe('resultOr', () => {
  test('returns the result, or an error of the class', async () => {
    const error = new SampleError('no')
    expect(await resultOr(SampleError, Promise.resolve(1))).toBe(1)
    expect(await resultOr(SampleError, Promise.reject(error))).toBe(error)
  })

  test('throws any other error', async () => {
    await expect(resultOr(SampleError, Promise.reject(new Error('other')))).rejects.toThrow('other')
  })
})
