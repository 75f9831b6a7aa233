import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../../test/support/full.ts'
import { ApiError } from '../platform/errors.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { createRates, middle, type Rate, type RatePartner } from './rates.ts'

const start = Date.parse('2026-01-01T12:00:00.000Z')
const maxAgeSeconds = 900

/** A partner and a clock that the test controls. */
function setUp() {
  const world = {
    now: start,
    asked: 0,
    down: false,
    /** The breaker accepts no rate, and there was no rate before. */
    refuses: false,
    /** Its answer; `ageMs` old at that moment. */
    rates: [{ currency: 'NGN', buy: '1620', sell: '1600', ageMs: 0 }],
    answer: undefined as undefined | (() => Promise<Rate[]>),
  }
  const partner: Pick<RatePartner, 'name' | 'rates'> = {
    name: 'standin',
    async rates() {
      world.asked++
      if (world.down) throw new Error('connection refused')
      if (world.answer) return world.answer()
      return world.rates.map(({ ageMs, ...rate }) => ({ ...rate, at: new Date(world.now - ageMs) }))
    },
  }
  const lines: string[] = []
  const log = createLog('test', 'warn', { write: (line) => void lines.push(line) })
  const rates = createRates({
    partner,
    breaker: async (offered) => (world.refuses ? [] : [...offered]),
    log,
    maxAgeSeconds,
    now: () => world.now,
  })
  return { world, rates, lines }
}

/** An answer that no price waited for is decided. */
const isDecided = () => new Promise((resolve) => setImmediate(resolve))
const unavailable = expect.objectContaining({
  status: 503,
  error: 'rates_unavailable',
  retryAfterSeconds: expect.any(Number),
})
const failure = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => 'it did not fail',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error
}

describe('the mid rate', () => {
  test('is halfway between buy and sell', async () => {
    const { rates } = setUp()
    expect(await rates.mid('NGN')).toMatchObject({ rate: '1610' })
    expect(await rates.midOrNull('NGN')).toMatchObject({ rate: '1610' })
  })

  test('has the time at which the partner observed it, and its name', async () => {
    const { world, rates } = setUp()
    world.rates = [{ currency: 'NGN', buy: '1620', sell: '1600', ageMs: 8123 }]
    const mid = { rate: '1610', at: new Date(start - 8123), source: 'standin' }
    expect(await rates.mid('NGN')).toEqual(mid)
    world.now += 9000
    expect(await rates.midOrNull('NGN')).toEqual(mid)
  })

  test('is exact for any two decimals', () => {
    const decimals = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
      .map(([value, scale]) => {
        const digits = value.toString().padStart(scale + 1, '0')
        return {
          text: scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`,
          value,
          scale,
        }
      })
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [whole = '', fraction = ''] = middle(a.text, b.text).split('.')
        // 2 × middle = a + b, compared at a scale that fits all three.
        const at = (value: bigint, scale: number) => value * 10n ** BigInt(20 - scale)
        expect(at(BigInt(whole + fraction), fraction.length) * 2n).toBe(
          at(a.value, a.scale) + at(b.value, b.scale),
        )
      }),
    )
  })

  test.each([
    ['1', '2', '1.5'],
    ['1', '1', '1'],
    ['1.1', '1.2', '1.15'],
    ['0.1', '0.2', '0.15'],
    ['618.25', '604.75', '611.5'],
    ['1', '1.0000000001', '1.00000000005'],
  ])('of %s and %s is %s', (a, b, expected) => {
    expect(middle(a, b)).toBe(expected)
    expect(middle(b, a)).toBe(expected)
  })

  test('of text that is not a decimal is an error', () => {
    expect(() => middle('1e3', '1')).toThrow('not a rate')
    expect(() => middle('1', 'NaN')).toThrow('not a rate')
  })
})

describe('requests to the partner', () => {
  test('an answer is reused for 15 seconds; the next price then refreshes it, and the one after uses the new answer', async () => {
    const { world, rates } = setUp()
    await rates.mid('NGN')
    world.rates = [{ currency: 'NGN', buy: '1640', sell: '1620', ageMs: 0 }]
    world.now += 15_000
    expect(await rates.mid('NGN')).toMatchObject({ rate: '1610' })
    expect(world.asked).toBe(1)
    world.now += 1
    expect(await rates.mid('NGN')).toMatchObject({ rate: '1610' })
    await isDecided()
    expect(await rates.mid('NGN')).toMatchObject({ rate: '1630' })
    expect(world.asked).toBe(2)
  })

  test('many prices at once make one request', async () => {
    const { world, rates } = setUp()
    let answerNow: (rates: Rate[]) => void = () => {}
    world.answer = () =>
      new Promise((resolve) => {
        answerNow = resolve
      })
    const prices = Promise.all(Array.from({ length: 20 }, async () => (await rates.mid('NGN')).rate))
    answerNow([{ currency: 'NGN', buy: '10', sell: '10', at: new Date(world.now) }])
    expect(new Set(await prices)).toEqual(new Set(['10']))
    expect(world.asked).toBe(1)
  })

  test('a failure is logged but not cached: the next request succeeds', async () => {
    const { world, rates, lines } = setUp()
    world.down = true
    await failure(rates.mid('NGN'))
    expect(lines.join('')).toContain('connection refused')
    world.down = false
    world.now += 15_001
    expect(await rates.mid('NGN')).toMatchObject({ rate: '1610' })
  })
})

describe('a failing partner while a usable rate is known', () => {
  test('delays no price by hanging', async () => {
    const { world, rates } = setUp()
    await rates.mid('NGN')
    world.now += 15_001
    world.answer = () => new Promise(() => {})
    const waited = new Promise((resolve) => setImmediate(resolve, 'the price waited'))
    expect(await Promise.race([rates.mid('NGN'), waited])).toMatchObject({ rate: '1610' })
  })

  test('is requested as often as a healthy one: once in 15 seconds', async () => {
    const { world, rates } = setUp()
    await rates.mid('NGN')
    world.down = true
    world.now += 15_001
    for (let i = 0; i < 5; i++) await rates.mid('NGN')
    expect(world.asked).toBe(2)
  })
})

describe('without a usable rate', () => {
  test('a partner that is down from the start is a 503 that names when to retry', async () => {
    const { world, rates } = setUp()
    world.down = true
    expect(await failure(rates.mid('NGN'))).toEqual(unavailable)
    expect(await rates.midOrNull('NGN')).toBeNull()
  })

  test('the last rate is used while a partner is down, until it is too old', async () => {
    const { world, rates } = setUp()
    await rates.mid('NGN')
    world.down = true
    world.now += maxAgeSeconds * 1000
    expect(await rates.mid('NGN')).toMatchObject({ rate: '1610' })
    world.now += 1
    expect(await failure(rates.mid('NGN'))).toEqual(unavailable)
    expect(await rates.midOrNull('NGN')).toBeNull()
  })

  test('a rate that the partner dates as old is never used, however recent the answer', async () => {
    const { world, rates } = setUp()
    world.rates = [
      { currency: 'NGN', buy: '1620', sell: '1600', ageMs: maxAgeSeconds * 1000 + 1 },
      { currency: 'KES', buy: '130', sell: '128', ageMs: maxAgeSeconds * 1000 },
    ]
    expect(await failure(rates.mid('NGN'))).toEqual(unavailable)
    expect(await rates.midOrNull('NGN')).toBeNull()
    expect(await rates.mid('KES')).toMatchObject({ rate: '129' })
  })

  test('a cached rate that becomes too old within the 15 seconds is not used', async () => {
    const { world, rates } = setUp()
    world.rates = [{ currency: 'NGN', buy: '1620', sell: '1600', ageMs: maxAgeSeconds * 1000 - 5000 }]
    expect(await rates.mid('NGN')).toMatchObject({ rate: '1610' })
    world.now += 5001
    expect(await failure(rates.mid('NGN'))).toEqual(unavailable)
    expect(world.asked).toBe(1)
  })

  test('a currency without a rate is a 400 that names localCurrency', async () => {
    const { rates } = setUp()
    expect(await failure(rates.mid('XYZ'))).toEqual(
      expect.objectContaining({ status: 400, fields: [expect.objectContaining({ field: 'localCurrency' })] }),
    )
    expect(await rates.midOrNull('XYZ')).toBeNull()
  })

  test('a currency whose only rates are refused is not reported as missing', async () => {
    const { world, rates } = setUp()
    world.refuses = true
    expect(await failure(rates.mid('NGN'))).toEqual(unavailable)
    expect(await failure(rates.mid('XYZ'))).toMatchObject({ status: 400 })
  })

  test('while the partner is down no currency is reported as missing', async () => {
    const { world, rates } = setUp()
    await rates.mid('NGN')
    world.down = true
    world.now += 15_001
    expect(await failure(rates.mid('XYZ'))).toEqual(unavailable)
  })

  test('an answer without any rate takes no rate back', async () => {
    const { world, rates, lines } = setUp()
    await rates.mid('NGN')
    world.rates = []
    world.now += 15_001
    await rates.mid('NGN')
    expect(await rates.mid('NGN')).toMatchObject({ rate: '1610' })
    expect(lines.join('')).toContain('no rates')
  })

  test('a partner that dates its rate in the future does not keep it in use for longer', async () => {
    const { world, rates } = setUp()
    world.rates = [{ currency: 'NGN', buy: '1620', sell: '1600', ageMs: -86_400_000 }]
    expect(await rates.mid('NGN')).toMatchObject({ at: new Date(start) })
    world.down = true
    world.now += maxAgeSeconds * 1000
    expect(await rates.mid('NGN')).toMatchObject({ rate: '1610' })
    world.now += 1
    expect(await failure(rates.mid('NGN'))).toEqual(unavailable)
  })

  test('in any history of answers and outages a rate is never too old and never from the future', async () => {
    const step = fc.record({
      waitMs: fc.oneof(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 2 * maxAgeSeconds * 1000 }),
      ),
      ageMs: fc.integer({ min: -maxAgeSeconds * 1000, max: 2 * maxAgeSeconds * 1000 }),
      answers: fc.constantFrom('rates', 'rates', 'nothing', 'error'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const { world, rates } = setUp()
        let askedAt = Number.NEGATIVE_INFINITY
        /** The date of the last answer's rate. */
        let last = Number.NEGATIVE_INFINITY
        for (const { waitMs, ageMs, answers } of steps) {
          world.now += waitMs
          world.down = answers === 'error'
          world.rates = answers === 'nothing' ? [] : [{ currency: 'NGN', buy: '10', sell: '10', ageMs }]
          const isAsked = world.now - askedAt > 15_000
          const isUsable = (at: number) => at >= world.now - maxAgeSeconds * 1000
          const before = last
          if (isAsked) askedAt = world.now
          if (isAsked && answers === 'rates') last = world.now - Math.max(ageMs, 0)
          // A usable rate is not delayed by the question for the next one.
          const expected = isUsable(before) ? before : last
          const mid = await rates.midOrNull('NGN')
          expect(mid?.at.getTime() ?? null).toBe(isUsable(expected) ? expected : null)
          // The answer of a partner that was not waited for.
          await new Promise((resolve) => setImmediate(resolve))
        }
      }),
      { numRuns: howMany(200, 2000) },
    )
  })

  test('a currency that the partner dropped is missing from its next answer on', async () => {
    const { world, rates } = setUp()
    await rates.mid('NGN')
    world.rates = [{ currency: 'KES', buy: '130', sell: '128', ageMs: 0 }]
    world.now += 15_001
    await rates.mid('NGN')
    await isDecided()
    expect(await failure(rates.mid('NGN'))).toMatchObject({ status: 400 })
  })
})
