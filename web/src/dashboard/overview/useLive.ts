import { useEffect, useRef, useState } from 'react'
import { apiPath } from '../session/createApi.ts'

/** Pause between two reads while the stream of events cannot be had. */
const pollMs = 15_000
/** Events come in groups: one read for all of them, and so long between two reads. */
const [gatherMs, betweenMs] = [300, 2000]

/**
 * Calls `onChange` when something happened to the business's payments, by its stream of events; while the
 * server refuses streams, now and then. A page that is not shown does neither, and catches up afterwards.
 * @param after the newest event that the page knows; undefined: not yet
 * @returns true while the stream is open
 */
export function useLive(businessId: string, after: number | undefined, onChange: () => void): boolean {
  const [live, setLive] = useState(false)
  const latest = useRef(onChange)
  const first = useRef(after)
  useEffect(() => {
    latest.current = onChange
    first.current = after
  })
  const isKnown = after !== undefined
  useEffect(() => {
    if (!isKnown) return
    let stream: EventSource | undefined
    let gathering: ReturnType<typeof setTimeout> | undefined
    let polling: ReturnType<typeof setTimeout> | undefined

    let readAt = 0

    const change = () => {
      gathering ??= setTimeout(
        () => {
          gathering = undefined
          readAt = Date.now()
          latest.current()
        },
        Math.max(gatherMs, readAt + betweenMs - Date.now()),
      )
    }
    function follow(): void {
      clearTimeout(polling)
      const query = new URLSearchParams({ type: 'session.*', after: String(first.current ?? 0) })
      stream = new EventSource(`${apiPath}/businesses/${encodeURIComponent(businessId)}/events?${query}`)
      stream.onopen = () => setLive(true)
      stream.onmessage = change
      stream.onerror = () => {
        setLive(false)
        // The browser tries again by itself, except after an answer that is not a stream.
        if (stream?.readyState === EventSource.CLOSED) poll()
      }
    }
    function poll(): void {
      polling = setTimeout(() => {
        latest.current()
        follow()
      }, pollMs)
    }
    function stop(): void {
      clearTimeout(polling)
      stream?.close()
      stream = undefined
      setLive(false)
    }
    const shownOrHidden = () => {
      stop()
      if (document.hidden) return
      change()
      follow()
    }
    if (!document.hidden) follow()
    document.addEventListener('visibilitychange', shownOrHidden)
    return () => {
      document.removeEventListener('visibilitychange', shownOrHidden)
      clearTimeout(gathering)
      stop()
    }
  }, [businessId, isKnown])
  return live
}
