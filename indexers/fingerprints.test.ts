import { randomFillSync } from 'node:crypto'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createFingerprints, type Fingerprints, maxFull } from './fingerprints.ts'

/** The first slot of a place, in a table of this capacity. */
const placeOf = (slot: number, capacity: number) => Math.ceil((slot * 2 ** 32) / capacity)

test('loses no flag, however many fingerprints are equal and push each other on', () => {
  const capacity = 32
  // So few different fingerprints that equal ones meet all the time, in runs that overlap and go past the
  // end.
  const entry = fc.record({
    slot: fc.integer({ min: 0, max: capacity - 1 }),
    fingerprint: fc.integer({ min: 1, max: 6 }),
    flags: fc.constantFrom(1, 2, 4, 64),
  })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60, size: 'max' }), (added) => {
      const table = createFingerprints(capacity)
      const all = new Map<string, number>()
      for (const { slot, fingerprint, flags } of added) {
        const place = placeOf(slot, capacity)
        if (!table.mark(place, fingerprint, flags)) {
          if (table.isFull()) continue
          table.add(place, fingerprint, flags)
        }
        const key = `${slot} ${fingerprint}`
        all.set(key, (all.get(key) ?? 0) | flags)
        for (const [each, wanted] of all) {
          const [at = 0, of = 0] = each.split(' ').map(Number)
          if ((table.flags(placeOf(at, capacity), of) & wanted) !== wanted)
            throw new Error(`${each} lost flags`)
        }
      }
      expect(table.size).toBe(table.slots.filter((each) => each !== 0).length)
    }),
    { numRuns: 2000 },
  )
})

test('a fingerprint is found only with its own value', () => {
  const table = createFingerprints(16)
  table.add(0, 7, 1)
  expect([table.flags(0, 7), table.flags(0, 6), table.flags(0, 8), table.flags(2 ** 31, 7)]).toEqual([
    1, 0, 0, 0,
  ])
})

/**
 * The exact rate, over all places and fingerprints: a search from a slot ends at a hit for those values of
 * its run that are smaller than all before.
 */
function falseHitRate({ slots }: Fingerprints): number {
  let ends = 0
  for (let from = 0; from < slots.length; from++) {
    let smallest = 2 ** 32
    for (let slot = from; slots[slot] !== 0; slot = (slot + 1) % slots.length) {
      const there = slots[slot] as number
      if (there >= smallest) continue
      smallest = there
      ends++
    }
  }
  return ends / slots.length / 2 ** 32
}

test('false hits are as rare as documented: one in 1.8 billion lookups at 71 % full, one in 750 million at 85 %', () => {
  const table = createFingerprints(2 ** 17)
  const random = randomFillSync(new Uint32Array(2 ** 19))
  let next = 0
  const fillTo = (load: number) => {
    while (table.size < Math.floor(table.slots.length * load))
      table.add(random[next++] as number, (random[next++] as number) || 1, 1)
    return 1 / falseHitRate(table)
  }
  const usual = fillTo(maxFull / 1.2)
  expect(usual).toBeGreaterThan(1.7e9)
  expect(usual).toBeLessThan(1.9e9)
  const full = fillTo(maxFull)
  expect(full).toBeGreaterThan(0.65e9)
  expect(full).toBeLessThan(0.85e9)
  expect(table.isFull()).toBe(true)
})
