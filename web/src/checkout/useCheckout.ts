import { useEffect, useState } from 'react'
import type { Checkout } from './types.ts'

export type Connection = 'loading' | 'live' | 'interrupted' | 'unknown'

export interface CheckoutState {
  checkout: Checkout | null
  connection: Connection
  /** The server's time less the device's, in milliseconds. */
  clockMs: number
}

/** Pause between two reads while the stream cannot be had. */
const pollMs = 5000

/**
 * Follows a session: by a stream, which the browser connects again by itself, and by reading now and then
 * while the server refuses streams. `unknown`: there is no such session.
 */
export function useCheckout(token: string): CheckoutState {
  const [state, setState] = useState<CheckoutState>({ checkout: null, connection: 'loading', clockMs: 0 })
  useEffect(() => {
    const url = `/api/v1/checkout/${encodeURIComponent(token)}`
    let stream: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false

    const show = (text: string, connection: Connection) => {
      const checkout = JSON.parse(text) as Checkout
      setState({ checkout, connection, clockMs: Date.parse(checkout.now) - Date.now() })
    }
    const lose = () => setState((was) => ({ ...was, connection: 'interrupted' }))

    function follow(): void {
      stream = new EventSource(url)
      stream.onmessage = ({ data }) => show(String(data), 'live')
      stream.onopen = () => setState((was) => (was.checkout === null ? was : { ...was, connection: 'live' }))
      stream.onerror = () => {
        lose()
        // The browser tries again by itself, except after an answer that is not a stream.
        if (stream?.readyState !== EventSource.CLOSED) return
        stream = undefined
        void read()
      }
    }

    async function read(): Promise<void> {
      try {
        const response = await fetch(url, { credentials: 'omit' })
        if (isOver) return
        if (response.status === 404 || response.status === 400) {
          setState((was) => ({ ...was, connection: 'unknown' }))
          return
        }
        if (response.ok) show(await response.text(), 'interrupted')
      } catch {
        lose()
      }
      if (isOver) return
      clearTimeout(timer)
      timer = setTimeout(follow, pollMs)
    }

    follow()
    return () => {
      isOver = true
      clearTimeout(timer)
      stream?.close()
    }
  }, [token])
  return state
}

/** The server's time, each second. */
export function useNow(clockMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now + clockMs
}
