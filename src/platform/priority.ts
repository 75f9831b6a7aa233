import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * What goes first where requests and background work share a process. A request says when it begins and ends; background work waits
 * for its turn before each piece that keeps a processor busy.
 */
export interface Priority {
  /** The count of requests under way; a thread of the process that has the same memory waits for the same requests. */
  memory: SharedArrayBuffer
  /** A request begins. @returns ends it; may be called twice */
  begin(): () => void
  /**
   * Resolves when a piece of background work may run: at once where there are no requests, otherwise when no request is under way, and
   * after 10 ms at the latest, so that background work goes on under any load. Between two pieces the loop takes in what has arrived.
   * @returns milliseconds waited
   */
  turn(): Promise<number>
}

/** Waits for the turn of a piece of background work. */
export type Turn = () => Promise<void>

const maxWaitMs = 10

/** Places in the memory: the requests under way, and 1 from the first request on. */
const [underWay, isShared] = [0, 1]

/** @param memory of another thread's priority, to wait for its requests */
export function createPriority(now: () => number = () => performance.now(), memory = new SharedArrayBuffer(8)): Priority {
  const state = new Int32Array(memory)
  /** The last piece that was let through, and all before it. */
  let queue: Promise<void> = Promise.resolve()

  async function untilQuiet(): Promise<void> {
    await nextTurn()
    const until = performance.now() + maxWaitMs
    for (;;) {
      const [requests, leftMs] = [Atomics.load(state, underWay), until - performance.now()]
      if (requests === 0 || leftMs <= 0) return
      // Returns at once where the number has changed since; is woken when it comes down to 0.
      const waited = Atomics.waitAsync(state, underWay, requests, leftMs)
      if (waited.async) await waited.value
    }
  }

  return {
    memory,
    begin() {
      Atomics.store(state, isShared, 1)
      Atomics.add(state, underWay, 1)
      let ended = false
      return () => {
        if (ended) return
        ended = true
        if (Atomics.sub(state, underWay, 1) === 1) Atomics.notify(state, underWay)
      }
    },
    async turn() {
      // Without a request ever, there is nothing to wait for.
      if (Atomics.load(state, isShared) === 0) return 0
      const from = now()
      const turn = queue.then(untilQuiet)
      queue = turn
      await turn
      return now() - from
    },
  }
}
