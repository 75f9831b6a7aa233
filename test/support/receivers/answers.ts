import type { ServerResponse } from 'node:http'

/** The behaviour of a receiver. */
export type Behaviour =
  | { kind: keyof typeof answers }
  | { kind: 'takes'; ms: number }
  /** Sends the caller to another receiver of this process. */
  | { kind: 'redirects'; to: string }
  /** Fails for a share of the deliveries, each time in one of the ways of `faults`. */
  | { kind: 'random'; share: number }

type Answer = (response: ServerResponse, answering: Answering) => void

export const faults = [
  'status 500',
  'hang-up',
  'half an answer',
  'slow',
  'too late',
  'status 429',
  'garbage',
] as const
export type Fault = (typeof faults)[number]

/** Records the progress of an answer. */
export interface Answering {
  /** Bytes of the body that the connection has taken. */
  sent(bytes: number): void
  /** The whole answer was sent while the caller was still connected. */
  answered(status: number): void
}

const failsAfterMs = 50
const dripMs = 50
/**
 * Much more than sockets buffer (up to 4 MB here): that much is sent to a caller that is too busy to hang up
 * at once.
 */
export const floodBytes = 40_000_000
const slowMs = 300
/** Longer than the deadline of the suites. */
const tooLateMs = 1500

export function give(
  response: ServerResponse,
  status: number,
  { answered }: Answering,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed) return
  response.writeHead(status, headers).end()
  answered(status)
}

export const giveAfter =
  (ms: number, status: number): Answer =>
  (response, answering) =>
    void setTimeout(() => give(response, status, answering), ms)

/** Answers 200, and then a byte now and then, without an end. */
const drip: Answer = (response, { sent }) => {
  response.writeHead(200)
  const dripping = setInterval(() => {
    response.write('.')
    sent(1)
  }, dripMs)
  response.on('close', () => clearInterval(dripping))
}

/** Answers 200 and a flood, as fast as the caller reads. */
const flood: Answer = (response, { sent, answered }) => {
  const piece = Buffer.alloc(16_384, '.')
  let left = floodBytes
  response.writeHead(200)
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length
      sent(piece.length)
      if (!response.write(piece)) return void response.once('drain', () => setImmediate(more))
    }
    if (response.destroyed) return
    response.end()
    answered(200)
  }
  more()
}

export const answers = {
  healthy: (response, answering) => give(response, 204, answering),
  hangs: () => {},
  fails: giveAfter(failsAfterMs, 500),
  drips: drip,
  floods: flood,
} satisfies Record<string, Answer>

export const failings: Record<Fault, Answer> = {
  'status 500': (response, answering) => give(response, 500, answering),
  'hang-up': (response) => void response.socket?.destroy(),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half')
    setImmediate(() => response.socket?.destroy())
  },
  slow: giveAfter(slowMs, 204),
  'too late': giveAfter(tooLateMs, 204),
  'status 429': (response, answering) => give(response, 429, answering, { 'retry-after': '1' }),
  garbage: (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'),
}
