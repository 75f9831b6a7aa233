/**
 * Reads hex as nodes write it: `0x` and lowercase digits. Other text is left to the reader of JavaScript,
 * which compares some of it as text.
 */

const prefix: u16 = 0x7830

/** Whether `length` bytes at `at` begin with `0x`. */
export function isHex(at: usize, length: usize): bool {
  return length >= 2 && load<u16>(at) == prefix
}

/** Eight bytes from sixteen digits. @returns whether all are digits */
function decodeSixteen(from: usize, to: usize): bool {
  const text = v128.load(from)
  const digit = i8x16.sub(text, i8x16.splat(0x30))
  const letter = i8x16.sub(text, i8x16.splat(0x61))
  const isDigit = i8x16.lt_u(digit, i8x16.splat(10))
  const isLetter = i8x16.lt_u(letter, i8x16.splat(6))
  if (!i8x16.all_true(v128.or(isDigit, isLetter))) return false
  const nibbles = v128.bitselect(digit, i8x16.add(letter, i8x16.splat(10)), isDigit)
  // The first digit of a pair is the low byte of its sixteen bits.
  const pairs = v128.or(i16x8.shl(v128.and(nibbles, i16x8.splat(0x00ff)), 4), i16x8.shr_u(nibbles, 8))
  v128.store64_lane(to, i8x16.narrow_i16x8_u(pairs, pairs), 0)
  return true
}

/** @returns 16 or more where the byte is no digit */
function valueOf(byte: u8): u8 {
  const digit: u8 = byte - 0x30
  if (digit < 10) return digit
  const letter: u8 = byte - 0x61
  return letter < 6 ? letter + 10 : 16
}

function decodePair(from: usize, to: usize): bool {
  const high = valueOf(load<u8>(from))
  const low = valueOf(load<u8>(from + 1))
  store<u8>(to, (high << 4) | low)
  return (high | low) < 16
}

/** Bytes from `length` of them in digits, without `0x`. @returns whether all are digits */
export function decodeBytes(from: usize, length: usize, to: usize): bool {
  let done: usize = 0
  while (length - done >= 8) {
    if (!decodeSixteen(from + done * 2, to + done)) return false
    done += 8
  }
  while (done < length) {
    if (!decodePair(from + done * 2, to + done)) return false
    done++
  }
  return true
}

/**
 * A number of at most eight bytes in digits, without `0x`. @returns -1 where it is not one, or too large for
 * 31 bits
 */
export function smallNumber(from: usize, digits: usize): i32 {
  if (digits == 0 || digits > 7) return -1
  let number: i32 = 0
  for (let at: usize = 0; at < digits; at++) {
    const value = valueOf(load<u8>(from + at))
    if (value >= 16) return -1
    number = (number << 4) | value
  }
  return number
}

/**
 * A number of any length in digits, without `0x`, as RLP has it: without leading zeros.
 * @returns its length in bytes, or -1 where it is not hex
 */
export function decodeNumber(from: usize, digits: usize, to: usize): i32 {
  let at = from
  let rest = digits
  while (rest > 0 && load<u8>(at) == 0x30) {
    at++
    rest--
  }
  const length = (rest + 1) >> 1
  let target = to
  if (rest & 1) {
    const value = valueOf(load<u8>(at))
    if (value >= 16) return -1
    store<u8>(target++, value)
    at++
    rest--
  }
  return decodeBytes(at, rest >> 1, target) ? (length as i32) : -1
}
