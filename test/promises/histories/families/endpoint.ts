import { createProviders, type Endpoint } from '../../../../src/chains/providers/providers.ts'

const observe = { called: () => {}, refused: () => {} }

/** One provider that is a function of this process, and of the right chain. The readers ask it as they ask one over the network. */
export const oneProvider = <E extends Endpoint>(endpoint: E) => createProviders<E>([() => endpoint], { observe, identify: async () => {} })

/** Keeps what was made of something. */
export function kept<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>()
  return (of) => {
    const value = known.get(of) ?? make(of)
    known.set(of, value)
    return value
  }
}

/** Parameters by position, or the one object that stands for them. */
export const firstOf = <T>(params: unknown): T => (Array.isArray(params) ? params[0] : params) as T
