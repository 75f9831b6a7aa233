/** Waits for a turn, on behalf of one business or several. */
export interface Waiting {
  businesses(): Iterable<string>
}

export interface FairLine<Waiter extends Waiting> {
  add(waiter: Waiter): void
  /** Removes those that wait no longer. @returns the removed */
  removeIf(isOver: (waiter: Waiter) => boolean): Waiter[]
  /** Removes the one whose turn it is; null: the line is empty. */
  next(): Waiter | null
  isEmpty(): boolean
}

/** An older turn does not count. A process has fewer streams by default. */
const maxRemembered = 1000

/**
 * A line in which businesses alternate: the next turn is of the business whose last turn is the longest ago.
 * So one that waits gets a turn after one of each other business at most, however much each of them waits
 * for. Within a business, the first comes first.
 */
export function createFairLine<Waiter extends Waiting>(): FairLine<Waiter> {
  const waiting = new Set<Waiter>()
  // In the order of the turns.
  const lastTurns = new Map<string, number>()
  let turns = 0

  function choose(): { waiter: Waiter; business: string } | null {
    let chosen: { waiter: Waiter; business: string; last: number } | null = null
    for (const waiter of waiting) {
      for (const business of waiter.businesses()) {
        const last = lastTurns.get(business) ?? 0
        if (chosen === null || last < chosen.last) chosen = { waiter, business, last }
      }
    }
    return chosen
  }

  return {
    add: (waiter) => void waiting.add(waiter),
    removeIf(isOver) {
      const over = [...waiting].filter(isOver)
      for (const each of over) waiting.delete(each)
      return over
    },
    next() {
      const chosen = choose()
      if (chosen === null) return null
      const { waiter, business } = chosen
      waiting.delete(waiter)
      lastTurns.delete(business)
      lastTurns.set(business, ++turns)
      const [oldest] = lastTurns.keys()
      if (lastTurns.size > maxRemembered && oldest !== undefined) lastTurns.delete(oldest)
      return waiter
    },
    isEmpty: () => waiting.size === 0,
  }
}
