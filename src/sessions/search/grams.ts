/** Which three and four letters in a row some texts have, by their hashes: a bit each. */
const bits = 24_576

/** Of a longer part, so many of its four letters decide. */
const maxOfPart = 8

/** The bits of texts, as `get_bit` reads them. */
export function gramsOf(texts: readonly string[]): Buffer {
  const grams = Buffer.alloc(bits / 8)
  for (const text of texts)
    for (let at = 0; at + 3 <= text.length; at++) {
      set(grams, bitOf(text, at, 3))
      if (at + 4 <= text.length) set(grams, bitOf(text, at, 4))
    }
  return grams
}

/** The bits that texts with this part have; none for a part of less than three letters. */
export function bitsOfPart(part: string): number[] {
  const size = Math.min(4, part.length)
  if (size < 3) return []
  const last = part.length - size
  const all = Array.from({ length: last + 1 }, (_, at) => at)
  const step = Math.max(1, last / (maxOfPart - 1))
  const some = last < maxOfPart ? all : Array.from({ length: maxOfPart }, (_, n) => Math.round(n * step))
  return [...new Set(some.map((at) => bitOf(part, Math.min(at, last), size)))]
}

/** FNV-1a of UTF-16 units, mixed, since its low bits are few. */
function bitOf(text: string, from: number, size: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < from + size; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return ((hash ^ (hash >>> 15)) >>> 0) % bits
}

function set(grams: Buffer, bit: number): void {
  const byte = bit >> 3
  grams[byte] = (grams[byte] ?? 0) | (1 << (bit & 7))
}
