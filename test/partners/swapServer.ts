import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An asset as a swap provider's stand-in prices it; null: it does not trade it. */
export interface PricedAsset {
  decimals: number
  /** Of a whole unit, in US cents. */
  cents: bigint
}

/** The settings of a swap provider's stand-in. */
export interface SwapStandIn {
  url: string
  /**
   * Mode of the next answers. `cut`: connections are closed without an answer. `flood`: an answer without an
   * end.
   */
  mode: 'ok' | 'down' | 'slow' | 'garbage' | 'cut' | 'flood'
  /** Before each good answer, as on the internet. */
  delayMs: number
  /** So many of the next requests are answered with 429, and this `Retry-After`. */
  throttled: number
  retryAfter: string | null
  /** Replaces the next answers. */
  refusal: { status: number; body: unknown } | null
  /** Changes a good answer, as an object or as a text. */
  lie: ((answer: Record<string, unknown>) => object) | null
  rewrite: ((text: string) => string) | null
  /** Requests with a valid key. */
  asked: { path: string; query: Record<string, string> }[]
  close(): Promise<void>
}

export interface SwapAnswer {
  status: number
  body: object
}

/** Answers a request: an error if the credentials are wrong. */
export type AnswerSwap = (request: {
  path: string
  query: Record<string, string>
  headers: IncomingHttpHeaders
}) => SwapAnswer

/** Serves a stand-in, with its misbehaviour. */
export async function serveSwaps(answerOf: AnswerSwap, port: number): Promise<SwapStandIn> {
  const standIn: SwapStandIn = {
    url: '',
    mode: 'ok',
    delayMs: 0,
    throttled: 0,
    retryAfter: '2',
    refusal: null,
    lie: null,
    rewrite: null,
    asked: [],
    close: async () => {},
  }
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://stand-in')
    const query = Object.fromEntries(searchParams)
    const found: SwapAnswer =
      request.method === 'GET'
        ? answerOf({ path, query, headers: request.headers })
        : { status: 404, body: {} }
    if (found.status !== 401) standIn.asked.push({ path, query })
    if (found.status !== 401 && misbehaves(standIn, response)) return
    const lied =
      found.status === 200 && standIn.lie ? standIn.lie(found.body as Record<string, unknown>) : found.body
    const text = JSON.stringify(lied)
    const answer = () =>
      send(response, found.status, found.status === 200 && standIn.rewrite ? standIn.rewrite(text) : text)
    if (standIn.delayMs > 0) setTimeout(answer, standIn.delayMs)
    else answer()
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
  )
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  standIn.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return standIn
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  const length = Buffer.byteLength(text)
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers })
    .end(text)
}

/** Misbehaves by its mode. @returns false if it answers as usual */
function misbehaves(standIn: SwapStandIn, response: ServerResponse): boolean {
  const { mode, retryAfter, refusal } = standIn
  if (standIn.throttled > 0) {
    standIn.throttled--
    send(
      response,
      429,
      '{"message":"rate limit exceeded"}',
      retryAfter === null ? {} : { 'retry-after': retryAfter },
    )
  } else if (refusal !== null) send(response, refusal.status, JSON.stringify(refusal.body))
  else if (mode === 'down') send(response, 503, '{"message":"something went wrong"}')
  else if (mode === 'garbage') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  else if (mode === 'cut') response.socket?.destroy()
  else if (mode === 'flood') flood(response)
  // A slow one never answers: the client's deadline must end it.
  else return mode === 'slow'
  return true
}

/** Sends JSON until the other side has had enough. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[0')
  const piece = ',0'.repeat(2 ** 15)
  const more = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

/** Three in a thousand stay with the pools. */
const kept = 997n

/** What an amount buys, in base units. */
export function boughtFor(amount: bigint, sold: PricedAsset, bought: PricedAsset): bigint {
  const worth = amount * sold.cents * 10n ** BigInt(bought.decimals) * kept
  return worth / (bought.cents * 10n ** BigInt(sold.decimals) * 1000n)
}

/** An amount less the slippage, rounded down. */
export const lessSlippage = (amount: bigint, bps: bigint): bigint => amount - (amount * bps + 9999n) / 10_000n
