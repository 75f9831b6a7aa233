import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Puts requests before background work where both share a process. A request reports when it starts and ends;
 * background work waits for its turn before each CPU-heavy piece.
 */
export interface Priority {
  /** The number of requests under way, shared with other threads of the process. */
  memory: SharedArrayBuffer
  /** Starts a request. @returns a function that ends it; may be called twice */
  begin(): () => void
  /**
   * Resolves when a piece of background work may run: when no request is under way, or after 10 ms, so that
   * background work makes progress under any load. Between two pieces the event loop handles new requests.
   * @returns milliseconds waited
   */
  turn(): Promise<number>
}

/** Waits for the turn of a piece of background work. */
export type Turn = () => Promise<void>

const maxWaitMs = 10

/** Indexes in the memory: requests under way, and 1 after the first request. */
const [underWay, isShared] = [0, 1]

/** @param memory of another thread's priority, to wait for that thread's requests */
export function createPriority(
  now: () => number = () => performance.now(),
  memory = new SharedArrayBuffer(8),
): Priority {
  const state = new Int32Array(memory)
  /** Ends when the last admitted piece and all before it have their turn. */
  let queue: Promise<void> = Promise.resolve()

  async function untilQuiet(): Promise<void> {
    await nextTurn()
    const until = performance.now() + maxWaitMs
    for (;;) {
      const [requests, leftMs] = [Atomics.load(state, underWay), until - performance.now()]
      if (requests === 0 || leftMs <= 0) return
      // Returns at once if the number has changed; notified when it drops to 0.
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
      // Before the first request there is nothing to wait for.
      if (Atomics.load(state, isShared) === 0) return 0
      const from = now()
      const turn = queue.then(untilQuiet)
      queue = turn
      await turn
      return now() - from
    },
  }
}
