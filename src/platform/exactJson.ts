/** A string, a name or a number of a JSON text, with its place. */
export interface JsonToken {
  kind: 'string' | 'name' | 'number'
  /** The names and indexes that lead to it. */
  path: readonly string[]
  start: number
  source: string
}

/**
 * The strings, names and numbers of a JSON text as they are written: `JSON.parse` rounds numbers.
 * @param text valid JSON
 */
export function* jsonTokens(text: string): Generator<JsonToken, void, undefined> {
  const path: string[] = []
  /** Of each open container: the index of its element, or null in an object. */
  const indexes: (number | null)[] = []
  let name: string | null = null
  const here = () => (name === null ? path : [...path, name])
  for (const { 0: source, index: start } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[[\]{},]/g)) {
    const index = indexes.at(-1)
    switch (source) {
      case '{':
      case '[':
        if (name !== null) path.push(name)
        indexes.push(source === '[' ? 0 : null)
        name = source === '[' ? '0' : null
        break
      case '}':
      case ']':
        indexes.pop()
        name = path.pop() ?? null
        break
      case ',':
        if (typeof index === 'number') indexes[indexes.length - 1] = index + 1
        name = typeof index === 'number' ? String(index + 1) : null
        break
      default:
        if (index === null && name === null) {
          name = nameOf(source)
          yield { kind: 'name', path: here(), start, source }
        } else yield { kind: source.startsWith('"') ? 'string' : 'number', path: here(), start, source }
    }
  }
}

function nameOf(source: string): string {
  try {
    return String(JSON.parse(source))
  } catch {
    return ''
  }
}

/** Reads faster than `jsonTokens`: strings are matched only to skip them. */
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** True if a JSON text has a number that `JSON.parse` changes, or an integer beyond 2^53. */
export function hasInexactNumber(text: string): boolean {
  for (const [source] of text.matchAll(stringsAndNumbers)) if (!source.startsWith('"') && problemOfNumber(source) !== null) return true
  return false
}

/** The reason why a number cannot be kept as it was written; null if it can. */
export function problemOfNumber(source: string): string | null {
  // Up to 15 digits without exponent are always kept.
  if (source.length <= 15 && !/e/i.test(source)) return null
  const value = Number(source)
  if (!Number.isFinite(value)) return 'is too large for a number; send it as a string'
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return 'is an integer beyond 2^53; send it as a string'
  const [given, kept] = [source, String(value)].map(digitsOf)
  return given === kept ? null : 'has more digits than a number keeps; send it as a string'
}

/** A decimal number in one form: its significant digits, and the exponent of the last. */
function digitsOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  return digits === '' ? '0' : `${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`
}
