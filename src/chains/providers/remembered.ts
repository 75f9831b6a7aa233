/** A bounded map; the oldest entry is evicted first. */
export interface Remembered<T> {
  has(name: string): boolean
  get(name: string): T | undefined
  keep(name: string, thing: T): void
}

export function createRemembered<T>(max: number): Remembered<T> {
  const things = new Map<string, T>()
  return {
    has: (name) => things.has(name),
    get: (name) => things.get(name),
    keep(name, thing) {
      const [oldest] = things.keys()
      if (!things.has(name) && things.size >= max && oldest !== undefined) things.delete(oldest)
      things.set(name, thing)
    },
  }
}
