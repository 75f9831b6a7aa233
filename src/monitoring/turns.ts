/** Work one at a time for each key, in the order in which it came; other keys do not wait for it. */
export interface Turns {
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Keys that somebody works or waits for. */
  readonly size: number
}

export function createTurns(): Turns {
  // By key, the end of what came last; never rejects.
  const ends = new Map<string, Promise<void>>()
  return {
    async inTurn(key, work) {
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
