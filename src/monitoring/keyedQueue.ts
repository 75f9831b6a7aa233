/** Runs work of one key one at a time, in order of arrival; other keys do not wait for it. */
export interface KeyedQueue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Number of keys with running or waiting work. */
  readonly size: number
}

export function createKeyedQueue(): KeyedQueue {
  // By key, the end of the last work; never rejects.
  const ends = new Map<string, Promise<void>>()
  return {
    async run(key, work) {
      const mine = (ends.get(key) ?? Promise.resolve()).then(work)
      const nothing = () => {}
      const end = mine.then(nothing, nothing)
      ends.set(key, end)
      try {
        return await mine
      } finally {
        if (ends.get(key) === end) ends.delete(key)
      }
    },
    get size() {
      return ends.size
    },
  }
}
