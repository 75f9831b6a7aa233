import { useEffect, useRef, useState } from 'react'

/** Pause between two reads while there is no stream. */
const pollMs = 5000

/** How a page hears of changes: by the stream, by reading now and then, or not yet. */
export type Liveness = 'connecting' | 'live' | 'polling'

/**
 * Calls `changed` when a payment's state changes: at each event of the stream of its checkout page, which
 * the browser connects again by itself, and now and then while the server refuses streams. After a stream
 * was lost it is called as well: something may have happened meanwhile.
 * @param checkoutUrl undefined until it is known
 */
export function useLiveSession(checkoutUrl: string | undefined, changed: () => void): Liveness {
  const [liveness, setLiveness] = useState<Liveness>('connecting')
  const latest = useRef(changed)
  useEffect(() => {
    latest.current = changed
  })
  const token = checkoutUrl?.split('/').at(-1)
  useEffect(() => {
    if (!token) return
    let stream: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    function follow(): void {
      stream = new EventSource(`/api/v1/checkout/${encodeURIComponent(token ?? '')}`)
      stream.onopen = () => setLiveness('live')
      // Also for the state that comes first: it may be newer than what the page has loaded.
      stream.onmessage = () => latest.current()
      stream.onerror = () => {
        setLiveness('polling')
        // The browser tries again by itself, except after an answer that is not a stream.
        if (stream?.readyState !== EventSource.CLOSED) return
        stream = undefined
        timer = setTimeout(() => {
          latest.current()
          follow()
        }, pollMs)
      }
    }
    follow()
    return () => {
      clearTimeout(timer)
      stream?.close()
    }
  }, [token])
  return liveness
}

/** Calls `changed` every few seconds while `isDue`, and the page is looked at. */
export function useRepeated(isDue: boolean, changed: () => void, everyMs = pollMs): void {
  const latest = useRef(changed)
  useEffect(() => {
    latest.current = changed
  })
  useEffect(() => {
    if (!isDue) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current()
    }, everyMs)
    return () => clearInterval(timer)
  }, [isDue, everyMs])
}

/** The time, each second while `isRunning`. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
