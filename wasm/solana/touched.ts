import { lengthOf, maxText, placeOf } from './values'

/**
 * A set of addresses in the order in which they were added: open addressing over their numbers, salted so
 * that crafted addresses cannot fill one run.
 */

/** Far more than the limits of a block allow; a block with more is left to the reader of JavaScript. */
const maxTouched: u32 = 65536
const slots: u32 = maxTouched * 2

const table: usize = (__heap_base + 15) & ~15
/** The addresses, `maxText` bytes each, filled up with zeros. */
export const touched: usize = table + slots * 4
/** After the addresses, and the three vectors that the last one is written by. */
export const afterTouched: usize = touched + (maxTouched as usize) * maxText + 64

export let touchedCount: u32 = 0
let salt: u64 = 0

export function clearTouched(newSalt: u32): void {
  memory.fill(table, 0, slots * 4)
  touchedCount = 0
  salt = (newSalt as u64) | 0x9e37_79b9_0000_0000
}

/** Sixteen bytes of an address from `skipped` on, those after its length as zeros. */
function writePart(from: usize, length: usize, to: usize, skipped: usize): void {
  const index = i8x16.add(
    i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    i8x16.splat(skipped as i8),
  )
  v128.store(to + skipped, v128.and(v128.load(from + skipped), i8x16.lt_u(index, i8x16.splat(length as i8))))
}

/** The last part overlaps the second: 44 is not a multiple of 16. */
const lastPart = maxText - 16

function write(from: usize, length: usize, to: usize): void {
  writePart(from, length, to, 0)
  writePart(from, length, to, 16)
  writePart(from, length, to, lastPart)
}

function mixed(hash: u64, word: u64): u64 {
  const product = (hash ^ word) * 0x9e37_79b9_7f4a_7c15
  return product ^ (product >> 32)
}

function hashOf(at: usize): u32 {
  let hash = salt
  for (let each: usize = 0; each < 40; each += 8) hash = mixed(hash, load<u64>(at + each))
  return mixed(hash, load<u32>(at + 40)) as u32
}

function isSame(one: usize, other: usize): bool {
  const first = v128.xor(v128.load(one), v128.load(other))
  const second = v128.xor(v128.load(one + 16), v128.load(other + 16))
  const last = v128.xor(v128.load(one + lastPart), v128.load(other + lastPart))
  return !v128.any_true(v128.or(v128.or(first, second), last))
}

/** @returns whether there was room */
export function touch(address: u64): bool {
  const own = touched + (touchedCount as usize) * maxText
  write(placeOf(address), lengthOf(address), own)
  let slot = hashOf(own) & (slots - 1)
  while (true) {
    const number = load<u32>(table + slot * 4)
    if (number == 0) break
    if (isSame(touched + ((number - 1) as usize) * maxText, own)) return true
    slot = (slot + 1) & (slots - 1)
  }
  if (touchedCount == maxTouched) return false
  touchedCount++
  store<u32>(table + slot * 4, touchedCount)
  return true
}
