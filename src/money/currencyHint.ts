import { currencies } from './currencies.ts'

/** Longer texts are no names of currencies. */
const maxLength = 40
/** More candidates are no hint. */
const maxNamed = 3

/**
 * A sentence's end that names the currency that was probably meant: by a code in another spelling, by its name
 * in English, or by a code that is one letter off. Nothing for a currency of ISO 4217.
 */
export function currencyHint(text: unknown, among: Iterable<string> = currencies.keys()): string {
  if (typeof text !== 'string' || text.length > maxLength || currencies.has(text)) return ''
  const meant = meantBy(text, new Set(among))
  return meant.length === 0 ? '' : `; did you mean ${meant.join(' or ')}?`
}

function meantBy(text: string, among: ReadonlySet<string>): string[] {
  const code = text.toUpperCase().replace(/[^A-Z]/g, '')
  if (among.has(code)) return [code]
  const { whole, last } = byName()
  const named = whole.get(plainName(text)) ?? last.get(plainName(text)) ?? []
  // A name that several currencies have, such as the dollar, means none of them.
  if (named.length > 0) return named.length === 1 ? named.filter((each) => among.has(each)) : []
  const near = [...among].filter((each) => isOneOff(code, each)).sort()
  return near.length <= maxNamed ? near : []
}

/** One letter is another, is missing or too many, or has changed places with its neighbour. */
function isOneOff(text: string, code: string): boolean {
  if (Math.abs(text.length - code.length) > 1) return false
  const at = [...text, ''].findIndex((letter, index) => letter !== code.charAt(index))
  const [rest, wanted] = [text.slice(at), code.slice(at)]
  if (rest.length > wanted.length) return rest.slice(1) === wanted
  if (rest.length < wanted.length) return rest === wanted.slice(1)
  return (
    rest.slice(1) === wanted.slice(1) ||
    (rest.slice(2) === wanted.slice(2) &&
      rest.charAt(0) === wanted.charAt(1) &&
      rest.charAt(1) === wanted.charAt(0))
  )
}

const plainName = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')

type Names = Map<string, string[]>
let names: { whole: Names; last: Names } | null = null

/** Codes by their English name (`nigerian naira`), and by its last word; also in the plural. */
function byName(): { whole: Names; last: Names } {
  if (names) return names
  const [whole, last]: [Names, Names] = [new Map(), new Map()]
  const english = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' })
  for (const code of currencies.keys()) {
    const name = plainName(english.of(code) ?? '')
    add(whole, name, code)
    add(last, name.split(' ').at(-1) ?? '', code)
  }
  names = { whole, last }
  return names
}

function add(to: Names, name: string, code: string): void {
  if (name === '') return
  for (const each of [name, `${name}s`]) to.set(each, [...(to.get(each) ?? []), code])
}
