import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { ApiError } from '../../src/platform/errors.ts'
import { type BodyHold, bodiesInFlight } from './bodiesInFlight.ts'

const max = 1000

interface Held {
  owner: string
  isPublic: boolean
  bytes: number
  arrived: boolean
  hold: BodyHold
}

test('in any order of calls, no caller exceeds its share or is refused while a larger one is sending, and all memory is returned', () => {
  const step = fc.record({
    of: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    isPublic: fc.boolean(),
    more: fc.integer({ min: 1, max: 250 }),
    does: fc.constantFrom('begins', 'begins', 'grows', 'grows', 'arrives', 'ends'),
    which: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const bodies = bodiesInFlight(max)
      let held: Held[] = []
      const sum = (of: (each: Held) => boolean) =>
        held.filter(of).reduce((total, { bytes }) => total + bytes, 0)
      /** There is no room, and no larger caller has a body that could give way. */
      const expectNoRoom = (body: Held, bytes: number, own: number) => {
        const [rest, restPublic] = [
          sum((each) => each !== body),
          sum((each) => each !== body && each.isPublic),
        ]
        const fitsAll = rest === 0 || rest + bytes <= max
        expect(fitsAll && (!body.isPublic || restPublic === 0 || restPublic + bytes <= max / 2)).toBe(false)
        for (const { owner, arrived, isPublic } of held) {
          if (!arrived && (!fitsAll || isPublic))
            expect(sum((each) => each.owner === owner)).toBeLessThanOrEqual(own)
        }
      }
      const expectWithin = () => {
        for (const { owner } of held) {
          const own = held.filter((each) => each.owner === owner)
          if (own.length > 1) expect(sum((each) => each.owner === owner)).toBeLessThanOrEqual(max / 4)
        }
        if (held.length > 1) expect(sum(() => true)).toBeLessThanOrEqual(max)
      }
      const begin = (owner: string, isPublic: boolean): Held => {
        const body: Held = {
          owner,
          isPublic,
          bytes: 0,
          arrived: false,
          hold: bodies.begin({ of: owner, isPublic }, gaveWay),
        }
        function gaveWay({ status, error }: ApiError) {
          expect([status, error, body.arrived]).toEqual([503, 'overloaded', false])
          held = held.filter((each) => each !== body)
        }
        held.push(body)
        return body
      }
      const grow = (body: Held, more: number) => {
        const own = sum(({ owner }) => owner === body.owner) + more
        try {
          body.hold.grow(body.bytes + more)
          body.bytes += more
        } catch (error) {
          const { status } = error as ApiError
          const alone = sum((each) => each.owner === body.owner && each !== body) === 0
          expect(status).toBe(own > max / 4 && !alone ? 429 : 503)
          if (status === 503) expectNoRoom(body, body.bytes + more, own)
          body.hold.release()
          held = held.filter((each) => each !== body)
        }
      }
      for (const { of, isPublic, more, does, which } of steps) {
        const owner = `${of} ${isPublic}`
        const some = held[which % Math.max(1, held.length)]
        if (does === 'begins' || !some) grow(begin(owner, isPublic), more)
        else if (does === 'grows' && !some.arrived) grow(some, more)
        else if (does === 'arrives') {
          some.arrived = true
          some.hold.arrived()
        } else if (does === 'ends') {
          some.hold.release()
          some.hold.release()
          held = held.filter((each) => each !== some)
        }
        expectWithin()
        expect(bodies.bytes()).toBe(sum(() => true))
      }
      for (const { hold } of held) hold.release()
      expect(bodies.bytes()).toBe(0)
    }),
    { numRuns: 300 },
  )
})

test('an announced body that has not arrived takes no memory', () => {
  const bodies = bodiesInFlight(max)
  for (let i = 0; i < 10_000; i++) bodies.begin({ of: `caller ${i % 3}`, isPublic: true }, () => {})
  bodies.begin({ of: 'another', isPublic: true }, () => {}).grow(max / 2)
  expect(bodies.bytes()).toBe(max / 2)
})

test('an idle process takes one body, however small the limit', () => {
  const bodies = bodiesInFlight(10)
  const large = bodies.begin({ of: 'a', isPublic: false }, () => {})
  large.grow(4000)
  large.arrived()
  const small = bodies.begin({ of: 'b', isPublic: false }, () => {})
  expect(() => small.grow(1)).toThrow(
    expect.objectContaining({ status: 503, error: 'overloaded', retryAfterSeconds: 1 }),
  )
  large.release()
  small.grow(1)
})
