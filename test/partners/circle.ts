import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, keccak256, toHex } from 'viem'
import { attest, fieldOf, fill, headOf, hookOf, messagesSent } from '../devnets/attest.ts'
import { cctpDomains } from '../devnets/cctp.ts'
import { solanaHead, solanaMessagesSent } from '../devnets/solanaCctp.ts'

/** A chain whose burns the stand-in signs. */
export interface CircleChain {
  domain: number
  rpcUrl: string
}

/**
 * A stand-in for Circle's attestation service, version 2, by its OpenAPI document
 * (developers.circle.com/api-reference/cctp). It reads burns from the devnets and signs them with the
 * devnets' attesters. Shares no code with our client.
 */
export interface CircleStandIn {
  url: string
  /** Mode of the next answers. `cut`: connections are closed without an answer. */
  mode: 'ok' | 'down' | 'slow' | 'garbage' | 'cut'
  /** So many of the next requests are answered with 429, and this `Retry-After`. */
  throttled: number
  retryAfter: string | null
  /** In basis points, by finality. A route without 1000 has no fast transfers. */
  fees: Record<number, number>
  /** Base units. */
  forwardFee: { [name: string]: number }
  /** Blocks that a burn waits for its signature, itself counted. */
  depth: { fast: number; standard: number }
  /** Why burns wait, although they are deep enough. */
  delayReason: string | null
  /** The last block of the destination at which a fast message can be used; null: it never expires. */
  expirationBlock: bigint | null
  /** Mints of messages with a hook; null: it never forwards, or not this one. */
  forward: ((message: Hex, attestation: Hex) => Promise<string | null>) | null
  /** Changes the messages of a good answer. */
  lie: ((messages: CircleMessage[]) => unknown[] | Promise<unknown[]>) | null
  /** Changes what is signed. */
  sign: (message: Hex) => Hex
  /** Nonces that were to be signed again. Of unknown ones it does not take a request. */
  reattested: string[]
  /** So many of the next answers about messages that are signed again still have the expired ones. */
  staleAnswers: number
  asked: { method: string; path: string }[]
  close(): Promise<void>
}

export interface CircleMessage {
  message: Hex
  eventNonce: string
  attestation: string
  cctpVersion: number
  status: 'complete' | 'pending_confirmations'
  delayReason: string | null
  forwardTxHash?: string
}

interface Served {
  forwarded: Map<string, string>
  nonces: Set<string>
}

interface Answer {
  status: number
  body: unknown
}

export async function startCircle(chains: readonly CircleChain[], port = 0): Promise<CircleStandIn> {
  const served: Served = { forwarded: new Map(), nonces: new Set() }
  const standIn: CircleStandIn = {
    url: '',
    mode: 'ok',
    throttled: 0,
    retryAfter: '1',
    fees: { 1000: 1.3, 2000: 0 },
    forwardFee: { low: 90_000, medium: 110_000, high: 160_000 },
    depth: { fast: 1, standard: 2 },
    delayReason: null,
    expirationBlock: null,
    forward: null,
    lie: null,
    sign: (message) => message,
    reattested: [],
    staleAnswers: 0,
    asked: [],
    close: async () => {},
  }
  const server = createServer((request, response) => {
    respond(standIn, request, response, () => answerOf(standIn, chains, served, request)).catch(() =>
      response.destroy(),
    )
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

async function respond(
  standIn: CircleStandIn,
  request: IncomingMessage,
  response: ServerResponse,
  work: () => Promise<Answer>,
): Promise<void> {
  standIn.asked.push({ method: request.method ?? '', path: request.url ?? '' })
  const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
  if (standIn.throttled > 0) {
    standIn.throttled--
    return send(429, { code: 429 }, standIn.retryAfter === null ? {} : { 'retry-after': standIn.retryAfter })
  }
  if (standIn.mode === 'down') return send(503, { code: 503 })
  if (standIn.mode === 'cut') return void response.socket?.destroy()
  if (standIn.mode === 'garbage')
    return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  // A slow one never answers: the client's deadline must end it.
  if (standIn.mode === 'slow') return
  const { status, body } = await work()
  send(status, body)
}

const notFound = (message: string): Answer => ({ status: 404, body: { code: 404, message } })

async function answerOf(
  standIn: CircleStandIn,
  chains: readonly CircleChain[],
  served: Served,
  { method, url = '' }: IncomingMessage,
): Promise<Answer> {
  const { pathname, searchParams } = new URL(url, 'http://stand-in')
  const fees = /^\/v2\/burn\/USDC\/fees\/(\d+)\/(\d+)$/.exec(pathname)
  if (method === 'GET' && fees) {
    const isForward = searchParams.get('forward') === 'true'
    const entries = Object.entries(standIn.fees).map(([finalityThreshold, minimumFee]) => ({
      finalityThreshold: Number(finalityThreshold),
      minimumFee,
      ...(isForward && { forwardFee: standIn.forwardFee }),
    }))
    return { status: 200, body: entries }
  }
  const [, nonce] = /^\/v2\/reattest\/(0x[0-9a-f]{64})$/.exec(pathname) ?? []
  if (method === 'POST' && nonce) {
    if (!served.nonces.has(nonce)) return notFound('Message not found')
    standIn.reattested.push(nonce)
    return { status: 200, body: { message: 'Re-attestation successfully requested for nonce.', nonce } }
  }
  const [, domain] = /^\/v2\/messages\/(\d+)$/.exec(pathname) ?? []
  const chain = chains.find((each) => each.domain === Number(domain))
  const txHash = searchParams.get('transactionHash')
  if (method !== 'GET' || !chain || txHash === null) return notFound('not found')
  return messagesAnswer(standIn, chain, txHash, served)
}

const readerOf = ({ domain }: CircleChain) =>
  domain === cctpDomains.solana
    ? { sent: solanaMessagesSent, head: solanaHead }
    : { sent: messagesSent, head: headOf }

async function messagesAnswer(
  standIn: CircleStandIn,
  chain: CircleChain,
  txHash: string,
  served: Served,
): Promise<Answer> {
  const { forwarded, nonces } = served
  const read = readerOf(chain)
  const sent = await read.sent(chain.rpcUrl, txHash)
  if (!sent || sent.length === 0) return notFound('Message not found')
  const head = await read.head(chain.rpcUrl)
  const messages: CircleMessage[] = []
  for (const { message: emitted, blockNumber, logIndex } of sent) {
    const nonce = keccak256(toHex(`${chain.domain} ${txHash} ${logIndex}`))
    const isDeep = (blocks: number) => head - blockNumber + 1n >= BigInt(blocks)
    const rate = standIn.fees[1000]
    const isFast =
      Number(fieldOf(emitted, 'minFinality')) <= 1000 && rate !== undefined && standIn.delayReason === null
    const common = { eventNonce: nonce, cctpVersion: 2, delayReason: standIn.delayReason }
    // A delay keeps fast burns until they are final.
    if (!isDeep(isFast ? standIn.depth.fast : standIn.depth.standard)) {
      messages.push({ ...common, message: '0x', attestation: 'PENDING', status: 'pending_confirmations' })
      continue
    }
    nonces.add(nonce)
    const isAgain = isSignedAgain(standIn, nonce)
    const values = {
      nonce,
      executed: isFast && !isAgain ? 1000 : 2000,
      fee: feeOf(standIn, emitted, isFast ? (rate ?? 0) : (standIn.fees[2000] ?? 0)),
      expirationBlock: isFast && !isAgain ? (standIn.expirationBlock ?? 0n) : 0n,
    }
    const message = standIn.sign(fill(emitted, values))
    const attestation = await attest(message)
    if (hookOf(emitted).startsWith(toHex('cctp-forward')) && standIn.forward && !forwarded.has(nonce))
      await standIn.forward(message, attestation).then((txHash) => txHash && forwarded.set(nonce, txHash))
    const forwardTxHash = forwarded.get(nonce)
    messages.push({
      ...common,
      delayReason: null,
      message,
      attestation,
      status: 'complete',
      ...(forwardTxHash && { forwardTxHash }),
    })
  }
  return { status: 200, body: { messages: standIn.lie ? await standIn.lie(messages) : messages } }
}

function isSignedAgain(standIn: CircleStandIn, nonce: string): boolean {
  if (!standIn.reattested.includes(nonce)) return false
  return standIn.staleAnswers === 0 || standIn.staleAnswers-- <= 0
}

/** Rounded up, with the fee of the mint. */
function feeOf(standIn: CircleStandIn, message: Hex, basisPoints: number): bigint {
  const amount = BigInt(fieldOf(message, 'amount'))
  const protocol = (amount * BigInt(Math.round(basisPoints * 1000)) + 9_999_999n) / 10_000_000n
  const forwards = hookOf(message).startsWith(toHex('cctp-forward'))
  return protocol + (forwards ? BigInt(standIn.forwardFee.medium ?? standIn.forwardFee.med ?? 0) : 0n)
}
