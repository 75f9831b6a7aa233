import type { Random } from '../promises/foreignBytes/mutate.ts'

/** JSON in forms that `JSON.stringify` never prints, and nodes may. */
export interface OddForms {
  random: Random
  /** White space between all tokens. */
  hasSpaces?: boolean
  /** Prints one member of these names twice, with another value: before or after the true one. */
  twice?: { names: ReadonlySet<string>; other: (value: unknown) => unknown }
  /** Prints one character of a text or name as an escape. */
  hasEscape?: boolean
  /** Prints one number in another form. */
  hasOddNumber?: boolean
}

/** Each stands for the same number or another one, or is not JSON at all. */
const numberForms: readonly ((text: string) => string)[] = [
  (text) => `${text}.0`,
  (text) => `${text}e0`,
  (text) => `${text}E1`,
  (text) => `-${text}`,
  (text) => `0${text}`,
  (text) => `+${text}`,
  (text) => `${text}00000000000000000000`,
  (text) => `${text}.`,
  () => '-0',
  () => '9007199254740991',
  () => '9007199254740993',
  () => '9999999999999999999',
  () => '18446744073709551616',
  () => '1e400',
  (text) => `"${text}"`,
]

export function oddJson(
  root: unknown,
  { random, hasSpaces, twice, hasEscape, hasOddNumber }: OddForms,
): string {
  const parts = { texts: 0, numbers: 0 }
  const members = new Map<string, number>()
  count(root)
  // By name first: otherwise the few members at the top are hardly ever chosen.
  const name = random.of([...members.keys()])
  const chosen = {
    member: random.below(members.get(name) ?? 0),
    text: random.below(parts.texts),
    number: random.below(parts.numbers),
  }
  const passed = { members: 0, texts: 0, numbers: 0 }
  return print(root)

  function count(value: unknown): void {
    if (typeof value === 'number') parts.numbers++
    if (typeof value === 'string') parts.texts++
    if (typeof value !== 'object' || value === null) return
    for (const [own, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) parts.texts++
      if (twice?.names.has(own)) members.set(own, (members.get(own) ?? 0) + 1)
      count(inner)
    }
  }

  function space(): string {
    return hasSpaces ? random.of(['', '', ' ', '\n', '\t', '\r', '  \n ']) : ''
  }

  function spaced(text: string): string {
    return `${space()}${text}${space()}`
  }

  function print(value: unknown): string {
    if (typeof value === 'string') return spaced(printText(value))
    if (typeof value === 'number') return spaced(printNumber(value))
    if (Array.isArray(value)) return spaced(`[${value.map(print).join(',') || space()}]`)
    if (typeof value !== 'object' || value === null) return spaced(JSON.stringify(value) ?? 'null')
    return spaced(`{${Object.entries(value).flatMap(printMember).join(',') || space()}}`)
  }

  function printMember([own, value]: [string, unknown]): string[] {
    const isTwice = twice && own === name && passed.members++ === chosen.member
    const member = `${spaced(printText(own))}:${print(value)}`
    if (!isTwice) return [member]
    const other = `${JSON.stringify(own)}:${JSON.stringify(twice.other(value)) ?? 'null'}`
    return random.chance(0.5) ? [member, other] : [other, member]
  }

  function printText(text: string): string {
    const plain = JSON.stringify(text)
    if (!(hasEscape && passed.texts++ === chosen.text && text.length > 0)) return plain
    const at = random.below(text.length)
    const code = text.charCodeAt(at).toString(16).padStart(4, '0')
    return `"${JSON.stringify(text.slice(0, at)).slice(1, -1)}\\u${code}${JSON.stringify(text.slice(at + 1)).slice(1, -1)}"`
  }

  function printNumber(number: number): string {
    const plain = JSON.stringify(number)
    return hasOddNumber && passed.numbers++ === chosen.number ? random.of(numberForms)(plain) : plain
  }
}
