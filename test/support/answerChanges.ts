import { mutated, mutatedBytes, type Random } from '../promises/foreignBytes/mutate.ts'
import { oddJson } from './oddJson.ts'

/** A change of an answer of JSON-RPC: the text that a node would send, or its bytes. */
export type Change<Answer> = (answer: Answer, random: Random) => string | Uint8Array

/** The same content in another form. */
export const formChanges: Record<'spaces' | 'order', Change<unknown>> = {
  spaces: (answer, random) => oddJson(answer, { random, hasSpaces: true }),
  order: (answer, random) => JSON.stringify(shuffled(answer, random)),
}

/** Changes of any value, of the fields that are `known` to the reader, and of the text. */
export const oddChangesOf = (known: ReadonlySet<string>): Record<string, Change<unknown>> => ({
  value: (answer, random) => JSON.stringify(mutated(answer, random)) ?? '',
  'known field': (answer, random) => JSON.stringify(withoutKnown(known, answer, random)) ?? '',
  twice: (answer, random) =>
    oddJson(answer, { random, twice: { names: known, other: (value) => mutated(value, random) } }),
  escape: (answer, random) => oddJson(answer, { random, hasEscape: true }),
  number: (answer, random) => oddJson(answer, { random, hasOddNumber: true }),
  cut: (answer, random) => {
    const text = JSON.stringify(answer)
    return text.slice(0, random.below(text.length))
  },
  character: (answer, random) => {
    const text = JSON.stringify(answer)
    const at = random.below(text.length)
    return (
      text.slice(0, at) +
      random.of([...'{}[],:"\\ 0159.eE-nulltrz\t\0\u007fé']) +
      text.slice(at + random.below(2))
    )
  },
  bytes: (answer, random) => mutatedBytes(Buffer.from(JSON.stringify(answer)), random),
})

/** The same fields in another order, at all depths. */
function shuffled(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((each) => shuffled(each, random))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    shuffled(inner, random),
  ])
  for (let at = entries.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    const [one, two] = [entries[at], entries[other]]
    if (one && two) [entries[at], entries[other]] = [two, one]
  }
  return Object.fromEntries(entries)
}

/** Replaces or removes a field that is read. */
function withoutKnown(known: ReadonlySet<string>, value: unknown, random: Random): unknown {
  if (Array.isArray(value)) {
    const at = random.below(value.length)
    return value.length === 0 ? value : value.with(at, withoutKnown(known, value[at], random))
  }
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).filter((name) => known.has(name))
  const name = random.of(names)
  if (name === undefined) return value
  const { [name]: inner, ...rest } = value as Record<string, unknown>
  if (typeof inner === 'object' && inner !== null && random.chance(0.7))
    return { ...value, [name]: withoutKnown(known, inner, random) }
  return random.chance(0.4) ? rest : { ...value, [name]: mutated(inner, random) }
}
