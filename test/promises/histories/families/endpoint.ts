import { createProviders, type Endpoint } from '../../../../src/chains/providers/providers.ts'
import type { SilenceOptions } from '../../../../src/chains/providers/silence.ts'
import type { NodeOfView, ReadPoint, Source } from '../dialect.ts'

const observe = { called: () => {}, refused: () => {} }

/**
 * Providers that are functions of this process, on the right chain. Readers use them like providers over the
 * network.
 */
export const providersOf = <E extends Endpoint>(
  endpoints: readonly E[],
  silence: SilenceOptions = { blockMs: 1000 },
) =>
  createProviders<E>(
    endpoints.map((endpoint) => () => endpoint),
    { observe, identify: async () => {}, silence },
  )

/** The node of a tree's own reader. */
export const onlyNode = ({ tree }: Source, point: ReadPoint): NodeOfView => ({
  name: 'tree',
  view: tree,
  point,
})

/** Caches results by object. */
export function cached<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>()
  return (of) => {
    const value = known.get(of) ?? make(of)
    known.set(of, value)
    return value
  }
}

/** The first parameter, by position or as an object. */
export const firstOf = <T>(params: unknown): T => (Array.isArray(params) ? params[0] : params) as T
