/** RLP (Yellow Paper, appendix B). Heads are written backwards, before a payload that is already there. */

/**
 * Writes the head of `length` bytes that begin at `at`. @param offset 0x80 for strings, 0xc0 for lists
 * @returns where the head begins
 */
export function headBefore(at: usize, length: usize, offset: u8): usize {
  if (length < 56) {
    store<u8>(at - 1, offset + (length as u8))
    return at - 1
  }
  let begin = at
  for (let rest = length; rest > 0; rest >>= 8) store<u8>(--begin, rest as u8)
  store<u8>(begin - 1, offset + 55 + ((at - begin) as u8))
  return begin - 1
}

/** The same of a string: one byte below 0x80 is its own encoding. */
export function stringBefore(at: usize, length: usize): usize {
  return length == 1 && load<u8>(at) < 0x80 ? at : headBefore(at, length, 0x80)
}

/** Bytes of the head of a list or a longer string. */
export function headSize(length: usize): usize {
  if (length < 56) return 1
  let size: usize = 1
  for (let rest = length; rest > 0; rest >>= 8) size++
  return size
}

/** Writes a head from `at` on. @returns where the payload goes */
export function headAt(at: usize, length: usize, offset: u8): usize {
  const payload = at + headSize(length)
  headBefore(payload, length, offset)
  return payload
}
