/** Runs at most that many pieces of work at once, in the order of the calls. */
export function limited(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The next one takes this place.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
