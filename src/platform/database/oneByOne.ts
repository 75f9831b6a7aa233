/** Runs `work` under a key. */
export type OneByOne = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs work of one key one at a time, in the order of the calls, and work of different keys concurrently;
 * within this process only. Waiting here holds no resource; waiting for the same lock in the database would
 * hold a connection each.
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
