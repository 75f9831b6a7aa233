import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createWatchTable } from './watchTable.ts'

const hex = (address: Uint8Array) => Buffer.from(address).toString('hex')

describe.each([20, 32])('a table of addresses of %i bytes', (width) => {
  // Few different bytes in few places: addresses repeat, many share words, and zero is among them.
  const address = fc
    .array(fc.constantFrom(0, 0, 0, 1, 255), { minLength: 5, maxLength: 5 })
    .map((few) => Uint8Array.from({ length: width }, (_, i) => (i % 4 === 0 || i === width - 1 ? (few[((i / 4) % 5) | 0] ?? 0) : 0)))
  const anyAddress = fc.oneof(address, fc.uint8Array({ minLength: width, maxLength: width }))

  test('holds the same addresses as a set of strings', () => {
    fc.assert(
      fc.property(fc.array(anyAddress, { maxLength: 200 }), fc.array(anyAddress, { maxLength: 50 }), (added, asked) => {
        const table = createWatchTable(width)
        const set = new Set<string>()
        for (const each of added) {
          if (table.has(each) !== set.has(hex(each))) throw new Error(`before ${hex(each)} was added`)
          table.add(each)
          set.add(hex(each))
          if (!table.has(each) || table.size !== set.size) throw new Error(`after ${hex(each)} was added`)
        }
        expect([...added, ...asked].map((each) => table.has(each))).toEqual([...added, ...asked].map((each) => set.has(hex(each))))
      }),
      { numRuns: 100 },
    )
  })

  test('loses and invents nothing while it grows', () => {
    const table = createWatchTable(width)
    const small = table.bytes
    const set = new Set<string>([hex(new Uint8Array(width))])
    table.add(new Uint8Array(width))
    const added: Uint8Array[] = []
    for (let i = 0; i < 12_000; i++) {
      // Half of them are neighbours of the one before.
      const next = i % 2 ? Uint8Array.from(added[i - 1] as Uint8Array) : new Uint8Array(randomBytes(width))
      if (i % 2) next[i % width] = ((next[i % width] as number) + 1) & 255
      added.push(next)
      table.add(next)
      set.add(hex(next))
    }
    expect(table.size).toBe(set.size)
    expect(table.bytes).toBeGreaterThanOrEqual(small * 16)
    expect(table.has(new Uint8Array(width))).toBe(true)
    expect(added.filter((each) => !table.has(each))).toEqual([])
    const others = Array.from({ length: 5000 }, () => new Uint8Array(randomBytes(width)))
    expect(others.filter((each) => table.has(each) && !set.has(hex(each)))).toEqual([])
    // Neighbours of contained addresses, in every byte.
    for (let i = 0; i < width; i++) {
      const near = Uint8Array.from(added[0] as Uint8Array)
      near[i] = ((near[i] as number) + 128) & 255
      expect(table.has(near)).toBe(set.has(hex(near)))
    }
  })

  test('keeps the same flags as a map, through any growth', () => {
    const entry = fc.record({ at: anyAddress, flags: fc.integer({ min: 1, max: 7 }) })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 2500, size: 'max' }), fc.array(anyAddress, { maxLength: 50 }), (added, asked) => {
        const table = createWatchTable(width)
        const map = new Map<string, number>()
        for (const { at, flags } of added) {
          table.add(at, flags)
          map.set(hex(at), (map.get(hex(at)) ?? 0) | flags)
        }
        const all = [...added.map(({ at }) => at), ...asked]
        expect(all.map((each) => table.flags(each))).toEqual(all.map((each) => map.get(hex(each)) ?? 0))
        expect(table.size).toBe(map.size)
      }),
      { numRuns: 30 },
    )
  })

  test("copies the address: later changes to the caller's bytes have no effect", () => {
    const table = createWatchTable(width)
    const mine = new Uint8Array(width).fill(7)
    table.add(mine)
    mine.fill(8)
    expect(table.has(mine)).toBe(false)
    expect(table.has(new Uint8Array(width).fill(7))).toBe(true)
  })

  test('refuses to add an address of another length, and does not contain one', () => {
    const table = createWatchTable(width)
    for (const length of [0, 1, width - 1, width + 1, width * 2, width === 20 ? 32 : 20]) {
      expect(() => table.add(new Uint8Array(length))).toThrow(RangeError)
      expect(table.has(new Uint8Array(length))).toBe(false)
    }
    expect(table.size).toBe(0)
  })

  test('holds the all-zero address only after it was added', () => {
    const table = createWatchTable(width)
    table.add(new Uint8Array(width).fill(1))
    expect(table.has(new Uint8Array(width))).toBe(false)
    table.add(new Uint8Array(width))
    table.add(new Uint8Array(width))
    expect(table.has(new Uint8Array(width))).toBe(true)
    expect(table.size).toBe(2)
  })
})

test('a width that is not a multiple of four bytes is refused', () => {
  for (const width of [0, -4, 1, 21, 33]) expect(() => createWatchTable(width)).toThrow(RangeError)
})

test('a million addresses and their flags fit 45 MB, and a table with that expected number does not grow', () => {
  const table = createWatchTable(20, 1_000_000)
  expect(table.bytes).toBeLessThanOrEqual(45_000_000)
  const before = table.bytes
  // Growth is tested above; this is the smallest number that needs growth in a table that ignores `expected`.
  const bytes = new Uint8Array(20)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < 20_000; i++) {
    view.setUint32(0, i)
    table.add(bytes)
  }
  expect(table.size).toBe(20_000)
  expect(table.bytes).toBe(before)
  // At most 70 % full: 1,000,000 fit without growing.
  expect(before / 21).toBeGreaterThan(1_000_000 / 0.7)
})
