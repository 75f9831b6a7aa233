/** The part of a WebSocket that sends. */
interface Outlet {
  send(message: string, sent: (error?: Error) => void): void
}

/**
 * Sends one message at a time. While the reader has not taken one, later ones replace each other, so that a
 * slow reader holds one message and gets the newest next.
 */
export function newestOnly(outlet: Outlet): (message: string) => void {
  let sending = false
  let waiting: string | null = null
  function send(message: string): void {
    sending = true
    outlet.send(message, (error) => {
      sending = false
      const next = waiting
      waiting = null
      if (next !== null && !error) send(next)
    })
  }
  return (message) => {
    if (sending) waiting = message
    else send(message)
  }
}
