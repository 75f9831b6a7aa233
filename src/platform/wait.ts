/** Sleeps for `ms`, or until `signal` is aborted; never throws. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** What `work` answers, or `late` after `ms`; an answer that is there already is never late. */
export function inTime<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  const over = new AbortController()
  const ended = pause(Math.max(0, ms), over.signal).then(() => late)
  return Promise.race([work, ended]).finally(() => over.abort())
}

/** A bell that a loop waits for. A ring without a waiter is kept for the next wait. */
export interface Bell {
  ring(): void
  /** Resolves at the next ring, after `ms`, or when `signal` is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** @returns also `clear`, which forgets a ring that was kept: what it announced is about to be read */
export function createBell(): Bell & { clear(): void } {
  const waiting = new Set<() => void>()
  let rung = false
  return {
    ring() {
      rung = true
      for (const wake of waiting) wake()
    },
    clear() {
      rung = false
    },
    async wait(ms, signal) {
      if (!rung && !signal?.aborted)
        await new Promise<void>((resolve) => {
          const wake = () => {
            clearTimeout(timer)
            signal?.removeEventListener('abort', wake)
            waiting.delete(wake)
            resolve()
          }
          const timer = setTimeout(wake, ms)
          signal?.addEventListener('abort', wake, { once: true })
          waiting.add(wake)
        })
      rung = false
    },
  }
}
