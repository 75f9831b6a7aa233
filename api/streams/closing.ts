import type { WebSocket } from 'ws'
import type { ApiError } from '../../src/platform/errors.ts'
import { errorBody } from '../middleware/errors.ts'

/** Close codes of RFC 6455, 7.4.1. */
export const codes = { goingAway: 1001, unsupported: 1003, policy: 1008, tryAgainLater: 1013 } as const

const reasons: Record<number, string> = {
  1001: 'the server stops: connect again',
  1003: 'text only',
  1008: 'one message at most: the credential',
  1013: 'the credential could not be checked: connect again',
}

/** For the client's part of the closing handshake. */
const closingMs = 2000

/**
 * Closes a WebSocket with a code. An error is sent as the last message, and its code is 4000 + its status.
 * @param why a code, or an error
 * @returns the code
 */
export function closeWebSocket(socket: WebSocket, why: number | ApiError, requestId: string): number {
  const code = typeof why === 'number' ? why : 4000 + why.status
  if (typeof why !== 'number') socket.send(JSON.stringify({ error: errorBody(why, requestId) }))
  // A reason may have 123 bytes; these are ASCII.
  socket.close(code, (typeof why === 'number' ? (reasons[why] ?? '') : why.error).slice(0, 120))
  const timer = setTimeout(() => socket.terminate(), closingMs)
  socket.once('close', () => clearTimeout(timer))
  return code
}
