import { closingQuote, isKey, nextMember, skipSpace, valueAfterColon } from './json'

/** Members of objects and lists. As in json.ts, 0 stands for: not understood. */

export const brace: u8 = 0x7b
export const bracket: u8 = 0x5b

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

/** Letters of the key that was read last, of the member at `at`. */
export function keyLength(at: usize): usize {
  return keyEnd - at - 1
}

/** Whether the key that was read last, of the member at `at`, is this word. */
export function hasKey(at: usize, word: string): bool {
  return isKey(at + 1, keyLength(at), word)
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
