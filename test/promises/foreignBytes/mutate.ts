/** Reproducible randomness (mulberry32): the same seed gives the same input. */
export interface Random {
  /** A whole number below `count`. */
  below(count: number): number
  chance(probability: number): boolean
  of<T>(list: readonly T[]): T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    chance: (probability) => next() < probability,
    of: (list) => list[below(list.length)] as never,
  }
}

type Json = unknown
type Fields = Record<string, Json>

const isFields = (value: Json): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nested = (depth: number, make: (inner: Json) => Json): Json => {
  let value: Json = null
  for (let level = 0; level < depth; level++) value = make(value)
  return value
}

/** As JSON.parse makes it: an own property. */
function withProto(fields: Fields, value: Json): Fields {
  const copy = { ...fields }
  Object.defineProperty(copy, '__proto__', { value, enumerable: true, configurable: true, writable: true })
  return copy
}

const frame = (inner: Json) => ({ type: 'CALL', from: '0x1', to: '0x2', value: '0x1', calls: [inner ?? {}] })

/** Values that no field expects; large ones are made when they are used. */
const strange: readonly ((random: Random) => Json)[] = [
  () => null,
  () => undefined,
  () => true,
  () => false,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 53,
  () => 1e308,
  () => -1e21,
  () => '',
  () => ' ',
  () => '0x',
  () => '0xzz',
  () => '-0x1',
  () => '0x-1',
  () => '1e5',
  () => '-5',
  () => 'Infinity',
  () => 'NaN',
  () => '\0',
  () => 'a\0b',
  () => '\ud800',
  () => '__proto__',
  () => 'constructor',
  () => '9'.repeat(400),
  () => `0x${'f'.repeat(300)}`,
  () => 'A'.repeat(20_000),
  () => 'z'.repeat(20_000),
  () => [],
  () => [null],
  () => [[]],
  () => ['0x1'],
  () => Array.from({ length: 500 }, () => null),
  () => ({}),
  () => ({ length: 1e9 }),
  () => ({ length: -1 }),
  () => ({ toString: 1, valueOf: 1 }),
  () => withProto({}, { amount: '1' }),
  () => nested(500, (inner) => [inner]),
  () => nested(500, (inner) => ({ calls: [inner] })),
  () => nested(500, frame),
  (random) => Array.from({ length: random.below(5) }, () => random.below(256)),
]

/** @returns a copy with one change at a random place; what it does not change is shared with the original */
export function mutated(root: Json, random: Random): Json {
  const change = (value: Json, depth: number): Json => {
    const goesDeeper = depth < 12 && random.chance(depth === 0 ? 0.97 : 0.85)
    if (Array.isArray(value) && value.length > 0 && goesDeeper) {
      const at = random.below(value.length)
      return value.with(at, change(value[at], depth + 1))
    }
    if (isFields(value) && goesDeeper) {
      const name = random.of(Object.keys(value))
      if (name !== undefined && name !== '__proto__')
        return { ...value, [name]: change(value[name], depth + 1) }
    }
    return changed(value, root, random)
  }
  return change(root, 0)
}

function changed(value: Json, root: Json, random: Random): Json {
  if (random.chance(0.25)) return random.of(strange)(random)
  if (random.chance(0.1)) return leafOf(root, random)
  if (typeof value === 'string') return changedText(value, random)
  if (typeof value === 'number')
    return random.of([
      value + 1,
      value - 1,
      -value,
      value * 1e9,
      value + 0.5,
      String(value),
      `0x${Math.trunc(value).toString(16)}`,
    ])
  if (Array.isArray(value)) return changedList(value, random)
  if (isFields(value)) return changedFields(value, random)
  return random.of(strange)(random)
}

/** Any leaf of the same answer: the right form at a wrong place. */
function leafOf(root: Json, random: Random): Json {
  let value = root
  for (let depth = 0; depth < 20; depth++) {
    const fields = isFields(value) ? Object.values(value) : []
    const inner = Array.isArray(value) ? value : fields
    if (inner.length === 0) return value
    value = random.of(inner)
  }
  return value
}

function changedList(list: readonly Json[], random: Random): Json {
  const at = random.below(list.length + 1)
  switch (random.below(8)) {
    case 0:
      return []
    case 1:
      return list.toSpliced(at, 1)
    case 2:
      return list.toSpliced(at, 0, list[random.below(list.length)])
    case 3:
      return list.toReversed()
    case 4:
      return list.toSpliced(at, 0, random.of(strange)(random))
    case 5:
      return [list]
    case 6:
      return { ...list }
    default:
      return [...list, ...list]
  }
}

function changedFields(fields: Fields, random: Random): Json {
  const names = Object.keys(fields)
  const [name = 'x', other = 'y'] = [random.of(names), random.of(names)]
  const { [name]: value, ...rest } = fields
  switch (random.below(7)) {
    case 0:
      return rest
    case 1:
      return { ...rest, [other]: value }
    case 2:
      return { ...fields, [name]: fields[other], [other]: value }
    case 3:
      return { ...fields, [`${name}x`]: value }
    case 4:
      return withProto(fields, random.of(strange)(random))
    case 5:
      return Object.values(fields)
    default:
      return { ...fields, unknown: random.of(strange)(random) }
  }
}

function changedText(text: string, random: Random): Json {
  const at = random.below(text.length + 1)
  switch (random.below(10)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(at)
    case 2:
      return (
        text.slice(0, at) + random.of(['0', 'f', 'A', '/', 'z', '\0', '\u{1f4a5}', ' ']) + text.slice(at + 1)
      )
    case 3:
      return text.slice(0, at) + text.slice(at + 1)
    case 4:
      return text + text
    case 5:
      return text.toUpperCase()
    case 6:
      return [text]
    case 7:
      return Number(text)
    default:
      return changedBytes(text, random)
  }
}

/** Text that holds bytes in hex or base64, with other bytes. */
function changedBytes(text: string, random: Random): string {
  const isHex = /^(0x)?([0-9a-f]{2})+$/i.test(text)
  const prefix = isHex && text.startsWith('0x') ? '0x' : ''
  const encoding = isHex ? 'hex' : 'base64'
  const bytes = Buffer.from(text.slice(prefix.length), encoding)
  return prefix + Buffer.from(mutatedBytes(bytes, random)).toString(encoding)
}

/** Bit flips, lengths set to the maximum, cuts, and repeated parts. */
export function mutatedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let copy = Buffer.from(bytes)
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    const at = random.below(copy.length + 1)
    switch (random.below(7)) {
      case 0:
        copy = copy.subarray(0, at)
        break
      case 1:
        copy = Buffer.concat([copy.subarray(0, at), copy.subarray(random.below(copy.length + 1))])
        break
      case 2:
        copy.fill(0xff, at, Math.min(at + 4, copy.length))
        break
      case 3:
        copy.fill(0, at, Math.min(at + 4, copy.length))
        break
      case 4:
        copy = Buffer.concat([
          copy.subarray(0, at),
          Buffer.from(Array.from({ length: 1 + random.below(8) }, () => random.below(256))),
          copy.subarray(at),
        ])
        break
      default:
        if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8))
    }
  }
  return copy
}
