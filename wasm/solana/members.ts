import { closingQuote, isKey, nextMember, skipSpace, skipValue, valueAfterColon } from '../json'

/** Members of objects and lists, and the values that blocks have there. As in json.ts, 0 stands for: not understood. */

export const brace: u8 = 0x7b
export const bracket: u8 = 0x5b

/** The values of a list: its length in eight bytes, then eight bytes each. The index of an account is one byte in Solana's wire format. */
export const maxEntries: usize = 256
export const listBytes: i32 = 8 + (maxEntries as i32) * 8

/** @returns the first member's place, or that after the closing bracket where there is none */
export function firstMember(from: usize, open: u8): usize {
  if (load<u8>(from) != open) return 0
  const at = skipSpace(from + 1)
  return load<u8>(at) == open + 2 ? at + 1 : at
}

/** Whether there is a member at the place that `firstMember` or `nextMember` returned. */
export function isMember(at: usize, open: u8): bool {
  return at != 0 && load<u8>(at - 1) != open + 2
}

let keyEnd: usize = 0

/** @returns the value of the member at `at` */
export function readKey(at: usize): usize {
  if (load<u8>(at) != 0x22) return 0
  keyEnd = closingQuote(at + 1)
  return keyEnd == 0 ? 0 : valueAfterColon(keyEnd + 1)
}

/** Whether the key that was read last, of the member at `at`, is this word. */
export function hasKey(at: usize, word: string): bool {
  return isKey(at + 1, keyEnd - at - 1, word)
}

/** From a member's value to the next member. */
export function afterValue(end: usize, open: u8): usize {
  return end == 0 ? 0 : nextMember(end, open + 2)
}

/** The number that `readInteger` read. */
export let integer: u64 = 0

/** A number without sign, fraction and exponent, of at most nineteen digits: it fits into 64 bits. */
export function readInteger(from: usize): usize {
  let at = from
  let number: u64 = 0
  while (true) {
    const digit: u8 = load<u8>(at) - 0x30
    if (digit > 9) break
    number = number * 10 + digit
    at++
  }
  integer = number
  const digits = at - from
  return digits == 0 || digits > 19 || (digits > 1 && load<u8>(from) == 0x30) ? 0 : at
}

/** A list of numbers, as floating point: the numbers of `JSON.parse`. */
export function readNumbers(from: usize, list: usize): usize {
  let count: usize = 0
  let at = firstMember(from, bracket)
  while (isMember(at, bracket)) {
    if (count == maxEntries) return 0
    at = readInteger(at)
    store<f64>(list + 8 + count * 8, integer as f64)
    count++
    at = afterValue(at, bracket)
  }
  store<u64>(list, count)
  return at
}

/** The longest address, and hash, in base58. */
export const maxText: usize = 44

/** The text that `readText` read: its place, and its length above that. */
export let text: u64 = 0

export function placeOf(found: u64): usize {
  return (found & 0xffffffff) as usize
}
export function lengthOf(found: u64): usize {
  return (found >> 32) as usize
}

/** A string of one character or more. */
export function readText(from: usize): usize {
  if (load<u8>(from) != 0x22) return 0
  const end = closingQuote(from + 1)
  if (end == 0 || end == from + 1 || end - from - 1 > maxText) return 0
  text = (((end - from - 1) as u64) << 32) | ((from + 1) as u64)
  return end + 1
}

/** Reads the text of one member of an object, which must occur once. */
function readTextOf(from: usize, word: string): usize {
  let found = false
  let at = firstMember(from, brace)
  while (isMember(at, brace)) {
    const value = readKey(at)
    if (value == 0) return 0
    const isFound = hasKey(at, word)
    if (isFound && found) return 0
    found = found || isFound
    at = afterValue(isFound ? readText(value) : skipValue(value), brace)
  }
  return found ? at : 0
}

/** A list of objects, as the texts of their members of this name. */
export function readTexts(from: usize, list: usize, word: string): usize {
  let count: usize = 0
  let at = firstMember(from, bracket)
  while (isMember(at, bracket)) {
    if (count == maxEntries) return 0
    at = readTextOf(at, word)
    store<u64>(list + 8 + count * 8, text)
    count++
    at = afterValue(at, bracket)
  }
  store<u64>(list, count)
  return at
}
