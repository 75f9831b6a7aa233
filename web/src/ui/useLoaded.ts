import { useCallback, useEffect, useRef, useState } from 'react'

export type LoadState<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: unknown }
  | { state: 'ready'; value: T }

export interface Loadable<T> {
  now: LoadState<T>
  /** Loads again. The old value stays until the new one is there. */
  reload: () => void
  /** Sets the value from another answer, without loading. */
  put: (value: T) => void
}

/**
 * Loads when the component appears and whenever `key` changes; a late answer to an earlier key is dropped.
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loadable<T> {
  const [held, setHeld] = useState<{ key: string; now: LoadState<T> }>({ key, now: { state: 'loading' } })
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` is incremented by `reload`, to run this again
  useEffect(() => {
    const ending = new AbortController()
    const keep = (now: LoadState<T>) => {
      if (!ending.signal.aborted) setHeld({ key, now })
    }
    latest.current(ending.signal).then(
      (value) => keep({ state: 'ready', value }),
      (error: unknown) => keep({ state: 'failed', error }),
    )
    return () => ending.abort()
  }, [key, turn])
  const reload = useCallback(() => {
    setHeld((was) => (was.now.state === 'failed' ? { key: was.key, now: { state: 'loading' } } : was))
    setTurn((count) => count + 1)
  }, [])
  const put = useCallback((value: T) => setHeld({ key, now: { state: 'ready', value } }), [key])
  return { now: held.key === key ? held.now : { state: 'loading' }, reload, put }
}
