import type { ServerResponse } from 'node:http'

/** Missing or invalid answers that any HTTP provider can give to any request. */
export const refusals = [
  'throttled',
  'throttle-storm',
  'garbage',
  'server-error',
  'hanging',
  'dropped',
  'flapping',
] as const
export type Refusal = (typeof refusals)[number]

export const isRefusal = (fault: string): fault is Refusal => refusals.some((each) => each === fault)

/** Requests that flapping resets, and then passes on. */
const flaps = { away: 6, back: 18 }
/**
 * The same for storms of rate limits. They use three forms: with a time to wait, without one, and inside a
 * 200.
 */
const storm = { refused: 4, taken: 20 }
const tooFast: ((response: ServerResponse, id: number | null) => void)[] = [
  (response) => response.writeHead(429, { 'retry-after': '0.3' }).end('slow down'),
  (response) => response.writeHead(429).end(),
  (response, id) =>
    // TronGrid answers 403 with a text; EIP-1474 has an error code.
    id === null
      ? response.writeHead(403).end('{"Error":"request rate exceeded the allowed_rps: rate limit"}')
      : response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32005, message: 'limit exceeded' } })),
]

/**
 * Refuses a request if the fault applies to it.
 * @param turn counts how often this fault was chosen, from 0
 * @param id of a JSON-RPC request; null: another protocol
 * @returns whether it refused
 */
export function refuse(
  fault: Refusal,
  turn: () => number,
  response: ServerResponse,
  id: number | null,
): boolean {
  switch (fault) {
    case 'throttled':
      response.writeHead(429, { 'retry-after': '0.05' }).end('slow down')
      return true
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>bad gateway</html>')
      return true
    case 'server-error':
      response
        .writeHead(turn() % 2 === 0 ? 502 : 503, { 'content-type': 'text/html' })
        .end('<html>no upstream</html>')
      return true
    case 'hanging':
      // Never answered; ends with its connection.
      return true
    case 'dropped':
      response.socket?.resetAndDestroy()
      return true
    case 'flapping':
      if (turn() % (flaps.away + flaps.back) >= flaps.away) return false
      response.socket?.resetAndDestroy()
      return true
    case 'throttle-storm': {
      const at = turn()
      const within = at % (storm.refused + storm.taken)
      if (within >= storm.refused) return false
      tooFast[(Math.floor(at / (storm.refused + storm.taken)) + within) % tooFast.length]?.(response, id)
      return true
    }
  }
}
