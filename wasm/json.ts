/**
 * Walks JSON text in the module's memory. Each function takes the place of a value's first byte and returns
 * the place after it, or 0 where the text is no JSON, or what is read of it is not plain: an escape or a byte
 * outside ASCII. The caller then gives the text to `JSON.parse`. 64 bytes after the text must be zero: they
 * end every walk.
 */

const maxDepth: i32 = 32

const quote: u8 = 0x22
const backslash: u8 = 0x5c

export function skipSpace(from: usize): usize {
  let at = from
  while (true) {
    const byte = load<u8>(at)
    if (byte != 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09) return at
    at++
  }
}

/** @param from after the opening quote @returns the place of the closing one */
export function closingQuote(from: usize): usize {
  let at = from
  while (true) {
    const some = v128.load(at)
    // Signed: bytes outside ASCII are negative.
    const odd = v128.or(
      v128.or(i8x16.eq(some, i8x16.splat(quote)), i8x16.eq(some, i8x16.splat(backslash))),
      i8x16.lt_s(some, i8x16.splat(0x20)),
    )
    const mask = i8x16.bitmask(odd)
    if (mask != 0) {
      at += ctz(mask)
      return load<u8>(at) == quote ? at : 0
    }
    at += 16
  }
}

/** A string that is not read: with escapes and bytes outside ASCII, which `JSON.parse` takes too. */
function skipString(from: usize): usize {
  if (load<u8>(from) != quote) return 0
  let at = from + 1
  while (true) {
    const some = v128.load(at)
    const odd = v128.or(
      v128.or(i8x16.eq(some, i8x16.splat(quote)), i8x16.eq(some, i8x16.splat(backslash))),
      i8x16.lt_u(some, i8x16.splat(0x20)),
    )
    const mask = i8x16.bitmask(odd)
    if (mask == 0) {
      at += 16
      continue
    }
    at += ctz(mask)
    const byte = load<u8>(at)
    if (byte == quote) return at + 1
    if (byte != backslash) return 0
    at = afterEscape(at + 1)
    if (at == 0) return 0
  }
}

/** @param at after the backslash */
function afterEscape(at: usize): usize {
  switch (load<u8>(at)) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 1
    case 0x75: // u
      for (let digit: usize = 1; digit <= 4; digit++) if (!isHexDigit(load<u8>(at + digit))) return 0
      return at + 5
    default:
      return 0
  }
}

function isHexDigit(byte: u8): bool {
  return isDigit(byte) || (((byte | 0x20) - 0x61) as u8) <= 5
}

function isDigit(byte: u8): bool {
  return ((byte - 0x30) as u8) <= 9
}

function skipDigits(from: usize): usize {
  let at = from
  while (isDigit(load<u8>(at))) at++
  return at
}

/** RFC 8259, section 6. */
function skipNumber(from: usize): usize {
  let at = from
  if (load<u8>(at) == 0x2d) at++
  if (load<u8>(at) == 0x30) at++
  else {
    const whole = at
    at = skipDigits(at)
    if (at == whole) return 0
  }
  if (load<u8>(at) == 0x2e) {
    const places = at + 1
    at = skipDigits(places)
    if (at == places) return 0
  }
  if ((load<u8>(at) | 0x20) == 0x65) {
    at++
    if (load<u8>(at) == 0x2b || load<u8>(at) == 0x2d) at++
    const power = at
    at = skipDigits(at)
    if (at == power) return 0
  }
  return at
}

// Four bytes as a number, the first one lowest.
const wordNull: u32 = 0x6c6c756e
const wordTrue: u32 = 0x65757274
const wordAlse: u32 = 0x65736c61

export function isNull(at: usize): bool {
  return load<u32>(at) == wordNull
}

function skipLiteral(at: usize): usize {
  if (load<u32>(at) == wordNull || load<u32>(at) == wordTrue) return at + 4
  return load<u8>(at) == 0x66 && load<u32>(at + 1) == wordAlse ? at + 5 : 0
}

/** Any value. */
export function skipValue(at: usize, depth: i32 = 0): usize {
  const byte = load<u8>(at)
  if (byte == quote) return skipString(at)
  if (byte == 0x7b || byte == 0x5b) return depth < maxDepth ? skipMembers(at, byte, depth + 1) : 0
  return byte == 0x2d || isDigit(byte) ? skipNumber(at) : skipLiteral(at)
}

/** @param open the bracket at `from`, whose closing one is two above it in ASCII */
function skipMembers(from: usize, open: u8, depth: i32): usize {
  const close = open + 2
  let at = skipSpace(from + 1)
  if (load<u8>(at) == close) return at + 1
  while (true) {
    if (open == 0x7b) {
      at = valueAfterKey(at)
      if (at == 0) return 0
    }
    at = skipValue(at, depth)
    if (at == 0) return 0
    at = nextMember(at, close)
    if (at == 0) return 0
    if (load<u8>(at - 1) == close) return at
  }
}

/** From a member's key to its value. */
function valueAfterKey(at: usize): usize {
  const end = skipString(at)
  return end == 0 ? 0 : valueAfterColon(end)
}

/** @param at after a key */
export function valueAfterColon(at: usize): usize {
  const colon = skipSpace(at)
  return load<u8>(colon) == 0x3a ? skipSpace(colon + 1) : 0
}

/**
 * @param at after a member @returns the next member's first byte, or the place after the closing bracket:
 * then the byte before it is that bracket
 */
export function nextMember(at: usize, close: u8): usize {
  const after = skipSpace(at)
  const byte = load<u8>(after)
  if (byte == 0x2c) {
    const next = skipSpace(after + 1)
    return load<u8>(next) == close ? 0 : next
  }
  return byte == close ? after + 1 : 0
}

/**
 * Whether the `length` bytes of a key are this text: ASCII, and in the module's static memory as two bytes a
 * letter.
 */
export function isKey(at: usize, length: usize, text: string): bool {
  if (length != (text.length as usize)) return false
  const letters = changetype<usize>(text)
  for (let done: usize = 0; done < length; done += 8) {
    const same = i16x8.bitmask(i16x8.eq(v128.load8x8_u(at + done), v128.load(letters + done * 2)))
    const all: i32 = length - done >= 8 ? 0xff : (1 << ((length - done) as i32)) - 1
    if ((same & all) != all) return false
  }
  return true
}
