import { setImmediate as nextTurn } from 'node:timers/promises'
import { pause } from './wait.ts'

/**
 * Who goes first where requests and background work share one event loop. A request says when it begins and ends; background work waits
 * for its turn before each piece that keeps the loop busy.
 */
export interface Priority {
  /** A request begins. @returns ends it; may be called twice */
  begin(): () => void
  /**
   * Resolves when a piece of background work may run: at once where there are no requests, else when no request is under way, and after
   * 10 ms at the latest, so that background work goes on under any load. Between two pieces the loop takes in what has arrived.
   * @returns milliseconds waited
   */
  turn(): Promise<number>
}

/** Waits for the turn of a piece of background work. */
export type Turn = () => Promise<void>

const maxWaitMs = 10

export function createPriority(now: () => number = () => performance.now()): Priority {
  let underWay = 0
  let quiet: AbortController | null = null
  /** The last piece that was let through, and all before it. */
  let queue: Promise<void> = Promise.resolve()
  /** Without a request ever, there is no one to wait for. */
  let isShared = false

  async function untilQuiet(): Promise<void> {
    await nextTurn()
    if (underWay === 0) return
    quiet ??= new AbortController()
    await pause(maxWaitMs, quiet.signal)
  }

  return {
    begin() {
      isShared = true
      underWay++
      let ended = false
      return () => {
        if (ended) return
        ended = true
        if (--underWay > 0) return
        quiet?.abort()
        quiet = null
      }
    },
    async turn() {
      if (!isShared) return 0
      const from = now()
      const turn = queue.then(untilQuiet)
      queue = turn
      await turn
      return now() - from
    },
  }
}
