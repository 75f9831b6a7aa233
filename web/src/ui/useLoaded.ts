import { useCallback, useEffect, useRef, useState } from 'react'

export type LoadState<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: unknown }
  | { state: 'ready'; value: T }

export interface Loadable<T> {
  now: LoadState<T>
  /** Loads again. The old value stays until the new one, or the failure, is there: then this resolves. */
  reload: () => Promise<void>
  /** Sets the value from another answer, without loading. A load that is under way is dropped: it is older. */
  put: (value: T) => void
}

/**
 * Loads when the component appears and whenever `key` changes; a late answer to an earlier key is dropped.
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loadable<T> {
  const [held, setHeld] = useState<{ key: string; now: LoadState<T> }>({ key, now: { state: 'loading' } })
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  const underWay = useRef<{ key: string; ending: AbortController }>(undefined)
  const waiting = useRef<(() => void)[]>([])
  const answerWaiting = useCallback(() => {
    for (const answer of waiting.current.splice(0)) answer()
  }, [])
  useEffect(() => {
    latest.current = load
  })
  useEffect(() => answerWaiting, [answerWaiting])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` is incremented by `reload`, to run this again
  useEffect(() => {
    const ending = new AbortController()
    underWay.current = { key, ending }
    const keep = (now: LoadState<T>) => {
      if (ending.signal.aborted) return
      setHeld({ key, now })
      answerWaiting()
    }
    latest.current(ending.signal).then(
      (value) => keep({ state: 'ready', value }),
      (error: unknown) => keep({ state: 'failed', error }),
    )
    return () => ending.abort()
  }, [key, turn])
  const reload = useCallback(() => {
    setHeld((was) => (was.now.state === 'failed' ? { key: was.key, now: { state: 'loading' } } : was))
    // Its answer, which is from before this, must not end the wait.
    underWay.current?.ending.abort()
    setTurn((count) => count + 1)
    return new Promise<void>((resolve) => void waiting.current.push(resolve))
  }, [])
  const put = useCallback(
    (value: T) => {
      // An answer about what the page no longer shows.
      if (underWay.current?.key !== key) return
      underWay.current.ending.abort()
      setHeld({ key, now: { state: 'ready', value } })
      answerWaiting()
    },
    [key, answerWaiting],
  )
  return { now: held.key === key ? held.now : { state: 'loading' }, reload, put }
}
