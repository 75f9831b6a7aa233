import { EventEmitter, once } from 'node:events'

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

/** A bell that a loop waits for. A ring without a waiter is kept for the next wait. */
export interface Bell {
  ring(): void
  /** Resolves at the next ring, after `ms`, or when `signal` is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

export function createBell(): Bell {
  const bell = new EventEmitter()
  let rung = false
  return {
    ring() {
      rung = true
      bell.emit('ring')
    },
    async wait(ms, signal) {
      if (!rung) {
        const over = new AbortController()
        const ringing = once(bell, 'ring', { signal: over.signal }).catch(() => {})
        await Promise.race([ringing, pause(ms, signal ? AbortSignal.any([signal, over.signal]) : over.signal)])
        over.abort()
      }
      rung = false
    },
  }
}
