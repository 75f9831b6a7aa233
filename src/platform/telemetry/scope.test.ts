import { describe, expect, test } from '@jest/globals'
import { currentCause, inScope, outOfScope, readTraceparent, writeTraceparent } from './scope.ts'

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

describe('a traceparent', () => {
  test('is read and written as in W3C Trace Context', () => {
    const text = `00-${traceId}-${spanId}-01`
    expect(readTraceparent(text)).toEqual({ traceId, spanId, traceFlags: 1 })
    expect(writeTraceparent({ traceId, spanId, traceFlags: 1 })).toBe(text)
    expect(readTraceparent(`00-${traceId}-${spanId}-00`)?.traceFlags).toBe(0)
  })

  test('keeps of its flags the one that is known', () => {
    expect(readTraceparent(`00-${traceId}-${spanId}-ff`)?.traceFlags).toBe(1)
    expect(writeTraceparent({ traceId, spanId, traceFlags: 0xfe })).toBe(`00-${traceId}-${spanId}-00`)
  })

  test('of a later version may have more fields', () => {
    expect(readTraceparent(`01-${traceId}-${spanId}-01-more`)).toEqual({ traceId, spanId, traceFlags: 1 })
  })

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['the forbidden version', `ff-${traceId}-${spanId}-01`],
    ['more fields in version 00', `00-${traceId}-${spanId}-01-more`],
    ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['a short trace', `00-${traceId.slice(1)}-${spanId}-01`],
    ['other text behind it', `00-${traceId}-${spanId}-01 x`],
  ])('is ignored if it is %s', (_, text) => expect(readTraceparent(text)).toBeNull())
})

test('a cause is that of the current request or job, also after waits, and absent in work that outlives it', async () => {
  const none = { traceparent: null, requestId: null }
  expect(currentCause()).toEqual(none)
  await inScope({ requestId: 'r1', trace: { traceId, spanId, traceFlags: 1 } }, async () => {
    await new Promise((resolve) => setImmediate(resolve))
    expect(currentCause()).toEqual({ requestId: 'r1', traceparent: `00-${traceId}-${spanId}-01` })
    expect(outOfScope(currentCause)).toEqual(none)
  })
})
