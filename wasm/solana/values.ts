import { closingQuote, skipValue } from '../json'
import {
  afterValue,
  brace,
  bracket,
  firstMember,
  hasKey,
  integer,
  isMember,
  readInteger,
  readKey,
} from '../members'

/** The values that blocks have. As in json.ts, 0 stands for: not understood. */

/**
 * The values of a list: its length in eight bytes, then eight bytes each. The index of an account is one byte
 * in Solana's wire format.
 */
export const maxEntries: usize = 256
export const listBytes: i32 = 8 + (maxEntries as i32) * 8

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

/** A list of strings. */
export function readStrings(from: usize, list: usize): usize {
  let count: usize = 0
  let at = firstMember(from, bracket)
  while (isMember(at, bracket)) {
    if (count == maxEntries) return 0
    at = readText(at)
    store<u64>(list + 8 + count * 8, text)
    count++
    at = afterValue(at, bracket)
  }
  store<u64>(list, count)
  return at
}

/** Adds the values of a list to another. @returns whether there was room */
export function append(more: usize, list: usize): bool {
  const count = load<u64>(list) as usize
  const added = load<u64>(more) as usize
  if (count + added > maxEntries) return false
  memory.copy(list + 8 + count * 8, more + 8, added * 8)
  store<u64>(list, count + added)
  return true
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
