/** A string, a name or a number of a JSON text, with its place. */
export interface JsonToken {
  kind: 'string' | 'name' | 'number'
  /** The names and indexes that lead to it. */
  path: readonly string[]
  start: number
  source: string
}

/** An object or a list that is being read. */
interface Container {
  path: readonly string[]
  /** Of the element that comes, in a list; null in an object. */
  index: number | null
  /** Of the field whose value comes, in an object. */
  name: string | null
}

/**
 * The strings, names and numbers of a JSON text as they are written: `JSON.parse` rounds numbers.
 * @param text valid JSON
 */
export function* jsonTokens(text: string): Generator<JsonToken, void, undefined> {
  const open: Container[] = []
  for (const { 0: source, index: start } of text.matchAll(
    /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[[\]{},]/g,
  )) {
    const inner = open.at(-1)
    if (source === '{' || source === '[')
      open.push({ path: placeIn(inner), index: source === '[' ? 0 : null, name: null })
    else if (source === '}' || source === ']') open.pop()
    else if (source === ',') toNext(inner)
    else if (inner?.index === null && inner.name === null) {
      inner.name = nameOf(source)
      yield { kind: 'name', path: placeIn(inner), start, source }
    } else yield { kind: source.startsWith('"') ? 'string' : 'number', path: placeIn(inner), start, source }
  }
}

/** The path of the value that comes next. */
function placeIn(inner: Container | undefined): readonly string[] {
  if (inner === undefined) return []
  const step = inner.index === null ? inner.name : String(inner.index)
  return step === null ? inner.path : [...inner.path, step]
}

function toNext(inner: Container | undefined): void {
  if (inner === undefined) return
  if (inner.index === null) inner.name = null
  else inner.index++
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
  for (const [source] of text.matchAll(stringsAndNumbers))
    if (!source.startsWith('"') && problemOfNumber(source) !== null) return true
  return false
}

/** The reason why a number cannot be kept as it was written; null if it can. */
export function problemOfNumber(source: string): string | null {
  // Up to 15 digits without exponent are always kept.
  if (source.length <= 15 && !/e/i.test(source)) return null
  const value = Number(source)
  if (!Number.isFinite(value)) return 'is too large for a number; send it as a string'
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'is an integer beyond 2^53; send it as a string'
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
