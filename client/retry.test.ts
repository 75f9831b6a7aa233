import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ConnectionError, CowryError } from './index.ts'
import { waitBeforeRepeat } from './retry.ts'

const statuses = [400, 401, 402, 403, 404, 405, 409, 413, 415, 422, 429, 500, 501, 502, 503, 504]
const answered = fc
  .record({
    status: fc.constantFrom(...statuses),
    code: fc.constantFrom('not_connected', 'x'),
    retryAfterSeconds: fc.option(fc.nat(120), { nil: undefined }),
  })
  .map((details) => new CowryError({ ...details, message: 'no' }))
const unanswered = fc
  .constantFrom('not_connected', 'no_answer', 'timeout')
  .map((code) => new ConnectionError(code, 'no'))
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const repeating = fc.record({
  repeats: fc.nat(12),
  retries: fc.nat(12),
  safe: fc.boolean(),
  maxWaitMs: fc.constantFrom(5_000, 60_000),
})

describe('before a request is repeated', () => {
  test('the wait is never shorter than the server requested, and at most eight seconds longer than the maximum', () => {
    fc.assert(
      fc.property(fc.oneof(answered, unanswered), repeating, chance, (error, about, random) => {
        const wait = waitBeforeRepeat(error, about, () => random)
        if (wait === null) return
        expect(wait).toBeGreaterThanOrEqual(Math.max(100, (error.retryAfterSeconds ?? 0) * 1000))
        expect(wait).toBeLessThanOrEqual(about.maxWaitMs + 8_000)
      }),
    )
  })

  test('it is repeated exactly if nothing was done, or if repeating does no harm', () => {
    fc.assert(
      fc.property(fc.oneof(answered, unanswered), repeating, (error, about) => {
        const outcome = error instanceof ConnectionError ? error.code : error.status
        const nothingDone = [429, 503, 'not_connected'].includes(outcome)
        const unclear = [502, 504, 'no_answer', 'timeout'].includes(outcome)
        const inTime = (error.retryAfterSeconds ?? 0) * 1000 <= about.maxWaitMs
        const repeated = about.repeats < about.retries && inTime && (nothingDone || (about.safe && unclear))
        expect(waitBeforeRepeat(error, about) !== null).toBe(repeated)
      }),
    )
  })

  test('the wait doubles, half of it random', () => {
    const error = new ConnectionError('no_answer', 'no')
    const waits = (random: number) =>
      [0, 1, 2, 3, 20].map((repeats) =>
        waitBeforeRepeat(error, { repeats, retries: 30, safe: true, maxWaitMs: 60_000 }, () => random),
      )
    expect(waits(0)).toEqual([100, 200, 400, 800, 4_000])
    expect(waits(1)).toEqual([200, 400, 800, 1_600, 8_000])
  })
})
