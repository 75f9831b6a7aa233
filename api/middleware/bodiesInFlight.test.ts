import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bodiesInFlight } from './bodiesInFlight.ts'

const max = 1000

test('no history of callers holds more than they may, and all that was given back is free again', () => {
  const step = fc.record({
    of: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    isPublic: fc.boolean(),
    bytes: fc.nat({ max: 250 }),
    ends: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const bodies = bodiesInFlight(max)
      const held: { of: string; isPublic: boolean; bytes: number; release(): void }[] = []
      const sum = (of: (each: (typeof held)[number]) => boolean) => held.filter(of).reduce((total, { bytes }) => total + bytes, 0)
      for (const { of, isPublic, bytes, ends } of steps) {
        const first = held[0]
        if (ends && first) {
          first.release()
          first.release()
          held.shift()
        }
        const owner = `${of} ${isPublic}`
        const own = sum((each) => `${each.of} ${each.isPublic}` === owner)
        try {
          held.push({ of, isPublic, bytes, release: bodies.reserve(bytes, { of: owner, isPublic }) })
        } catch (error) {
          const { status } = error as { status: number }
          expect(status).toBe(own + bytes > max / 4 ? 429 : 503)
        }
        expect(sum(() => true)).toBeLessThanOrEqual(max)
        expect(sum((each) => each.isPublic)).toBeLessThanOrEqual(max / 2)
        expect(bodies.bytes()).toBe(sum(() => true))
      }
      for (const { release } of held) release()
      expect(bodies.bytes()).toBe(0)
    }),
  )
})

test('one body is taken by a process that holds no other, however small the limit is', () => {
  const bodies = bodiesInFlight(10)
  const release = bodies.reserve(4000, { of: 'a', isPublic: false })
  expect(() => bodies.reserve(1, { of: 'b', isPublic: false })).toThrow(
    expect.objectContaining({ status: 503, error: 'overloaded', retryAfterSeconds: 1 }),
  )
  release()
  bodies.reserve(1, { of: 'b', isPublic: false })
})
