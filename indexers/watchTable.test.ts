import { randomBytes, randomFillSync } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../test/support/full.ts'
import { createWatchTable, type WatchTable } from './watchTable.ts'

const hex = (address: Uint8Array) => Buffer.from(address).toString('hex')
/** Random addresses, one after the other. */
const many = (width: number, count: number) => randomFillSync(new Uint32Array((width / 4) * count))
/** The address that starts at a word. */
const addressAt = (words: Uint32Array, at: number, width: number) =>
  new Uint8Array(words.buffer, words.byteOffset + at * 4, width)

describe.each([20, 32, 40, 44])('a table of addresses of %i bytes', (width) => {
  // Few different bytes in few places: addresses repeat, many share words, and zero is among them.
  const address = fc
    .array(fc.constantFrom(0, 0, 0, 1, 255), { minLength: 5, maxLength: 5 })
    .map((few) =>
      Uint8Array.from({ length: width }, (_, i) =>
        i % 4 === 0 || i === width - 1 ? (few[((i / 4) % 5) | 0] ?? 0) : 0,
      ),
    )
  const anyAddress = fc.oneof(address, fc.uint8Array({ minLength: width, maxLength: width }))
  const entry = fc.record({ at: anyAddress, flags: fc.integer({ min: 1, max: 7 }) })

  test('holds the same addresses as a map, with the same flags', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 200 }),
        fc.array(anyAddress, { maxLength: 50 }),
        (added, asked) => {
          const table = createWatchTable(width)
          const map = new Map<string, number>()
          for (const { at, flags } of added) {
            if (table.has(at) !== map.has(hex(at))) throw new Error(`before ${hex(at)} was added`)
            table.add(at, flags)
            map.set(hex(at), (map.get(hex(at)) ?? 0) | flags)
            if (!table.has(at) || table.size !== map.size) throw new Error(`after ${hex(at)} was added`)
          }
          const all = [...added.map(({ at }) => at), ...asked]
          expect(all.map((each) => table.flags(each))).toEqual(all.map((each) => map.get(hex(each)) ?? 0))
        },
      ),
      { numRuns: 100 },
    )
  })

  test('loses nothing while it grows, and gives few parts little memory', () => {
    const table = createWatchTable(width)
    const small = table.bytes
    const words = many(width, 60_000)
    const step = width / 4
    const flagsOf = (index: number) => (index % 7) + 1
    for (let index = 0; index * step < words.length; index++) {
      table.add(addressAt(words, index * step, width), flagsOf(index))
      // Flags that come later, also to an address of an earlier part.
      if (index % 1000 === 0) table.add(addressAt(words, 0, width), 64)
    }
    expectSize(table, 60_000)
    expect(table.bytes).toBeGreaterThan(small * 2)
    expect(table.bytes / table.size).toBeLessThan(20)
    let wrong = 0
    for (let index = 0; index * step < words.length; index++) {
      const expected = flagsOf(index) | (index === 0 ? 64 : 0)
      if (
        table.flags(addressAt(words, index * step, width)) !== expected ||
        table.flagsAt(words, index * step) !== expected
      )
        wrong++
    }
    expect(wrong).toBe(0)
  })

  test('finds neighbours of its addresses only if they were added, in every byte', () => {
    const table = createWatchTable(width)
    const added = new Uint8Array(randomBytes(width))
    table.add(added)
    for (let i = 0; i < width; i++) {
      for (let bit = 0; bit < 8; bit++) {
        const near = Uint8Array.from(added)
        near[i] = (near[i] as number) ^ (1 << bit)
        expect(table.has(near)).toBe(false)
      }
    }
  })

  test('finds an address in the middle of many words, as by its bytes', () => {
    const table = createWatchTable(width)
    const words = many(width, 50)
    const step = width / 4
    for (let at = 0; at < words.length; at += step * 2) table.add(addressAt(words, at, width), 3)
    for (let at = 0; at < words.length; at += step)
      expect(table.flagsAt(words, at)).toBe((at / step) % 2 ? 0 : 3)
    // Between two addresses.
    expect(table.flagsAt(words, 1)).toBe(0)
  })

  test("later changes to the caller's bytes have no effect", () => {
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

  test('takes at most 8 MB for 1,000,000 addresses that were expected', () => {
    expect(createWatchTable(width, 1_000_000).bytes).toBeLessThanOrEqual(8_000_000)
  })
})

test('a width that is not a multiple of four bytes is refused', () => {
  for (const width of [0, -4, 1, 21, 33]) expect(() => createWatchTable(width)).toThrow(RangeError)
})

/** All that were added, but for the very few that are confused with another one: they count once. */
function expectSize(table: WatchTable, added: number): void {
  expect(table.size).toBeLessThanOrEqual(added)
  expect(table.size).toBeGreaterThanOrEqual(added - 2)
}

/** Sequential numbers at the end: as hard for a weak hash as any. */
function addNumbers(table: WatchTable, from: number, to: number): void {
  const bytes = new Uint8Array(20)
  const view = new DataView(bytes.buffer)
  for (let i = from; i < to; i++) {
    view.setUint32(16, i)
    table.add(bytes)
  }
}

const million = howMany(100_000, 1_000_000)

test('a table does not grow until a fifth more than expected were added, and a half more make it half as large again', () => {
  const table = createWatchTable(20, million)
  const before = table.bytes
  expect(before / million).toBeLessThanOrEqual(8)
  addNumbers(table, 0, million * 1.199)
  expectSize(table, million * 1.199)
  expect(table.bytes).toBe(before)
  addNumbers(table, million * 1.199, million * 1.5)
  expectSize(table, million * 1.5)
  expect(table.bytes).toBeGreaterThan(before)
  // Small tables grow by more, to have few parts.
  expect(table.bytes / before).toBeLessThan(howMany(3.01, 1.51))
})

test('a table that expected nothing takes at most 10 MB for 1,000,000', () => {
  const table = createWatchTable(20)
  addNumbers(table, 0, million)
  expectSize(table, million)
  expect(table.bytes / million).toBeLessThanOrEqual(howMany(20, 10))
})

test('random addresses that were not added are not found', () => {
  const table = createWatchTable(20, million)
  const added = many(20, million)
  for (let at = 0; at < added.length; at += 5) table.add(addressAt(added, at, 20))
  let found = 0
  for (let left = howMany(200_000, 10_000_000); left > 0; left -= 100_000) {
    const others = many(20, 100_000)
    for (let at = 0; at < others.length; at += 5) if (table.flagsAt(others, at) !== 0) found++
  }
  // Of 10,000,000 lookups 0.006 are expected to find something; two would in one of 60,000 runs.
  expect(found).toBeLessThanOrEqual(1)
})
