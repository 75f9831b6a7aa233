import { expect, test } from '@jest/globals'
import { attemptText } from './attemptLabels.ts'

test.each([
  [{ responseStatus: 204, durationMs: 35, error: null }, 'Your server answered 204 after 35 ms.'],
  [{ responseStatus: 500, durationMs: 1250, error: 'status 500' }, 'Your server answered 500 after 1.3 s.'],
  [
    { responseStatus: 200, durationMs: 90, error: 'the answer broke off' },
    'Your server answered 200 after 90 ms. The answer broke off.',
  ],
  [
    { responseStatus: null, durationMs: 12, error: 'connect ECONNREFUSED' },
    'No answer after 12 ms: connect ECONNREFUSED.',
  ],
  [{ responseStatus: null, durationMs: null, error: null }, 'No answer.'],
])('%j', (attempt, words) => expect(attemptText(attempt)).toBe(words))
