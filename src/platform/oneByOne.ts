/** Runs work of one key. */
export type OneByOne = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs work of one key one after another, in the order of the calls, and work of different keys at once; in this process alone. What waits
 * here holds nothing: in the database each would hold a connection while it waits for the same lock.
 */
export function createOneByOne(): OneByOne {
  const last = new Map<string, Promise<void>>()
  return async (key, work) => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const before = last.get(key)
    last.set(key, over)
    try {
      await before
      return await work()
    } finally {
      if (last.get(key) === over) last.delete(key)
      end()
    }
  }
}
