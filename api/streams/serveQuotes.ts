import type { Request, Response } from 'express'
import type { WebSocket } from 'ws'
import type { Caller } from '../../src/accounts/caller.ts'
import type { Answer } from '../../src/http/request.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { QuoteSource } from '../../src/platform/quoteSource.ts'
import type { ApiContext } from '../context.ts'
import type { Operation } from '../contract.ts'
import { callerOfLateCredential } from '../middleware/authenticate.ts'
import { errorBody } from '../middleware/errors.ts'
import { noCredential, unexpected } from '../middleware/outcomes.ts'
import { requestId } from '../middleware/requestId.ts'
import { confirmShared } from '../middleware/waiting.ts'
import { closeWebSocket, codes } from './closing.ts'
import { firstMessage, UnsupportedMessageError } from './firstMessage.ts'
import { newestOnly } from './newestOnly.ts'
import { isLasting, type Newest } from './sharedQuotes.ts'
import { openWebSocket, requireWebSocket } from './upgrades.ts'

/**
 * A credential that could not be checked again for this long ends its streams; they are checked every 15
 * seconds.
 */
const maxUnconfirmedMs = 45_000

/**
 * Serves an operation that is answered with 101. What can be refused before it is refused as any request.
 * @param known the caller; undefined if the first message has the credential
 * @throws ApiError
 */
export async function serveQuotes(
  ctx: ApiContext,
  operation: Operation,
  known: Caller | undefined,
  request: Request,
  response: Response,
  quotesOf: (caller: Caller) => Promise<QuoteSource>,
): Promise<void> {
  requireWebSocket(request, response)
  if (known) {
    const stream = await begin(ctx, operation, known, requestId(response), await quotesOf(known))
    await openWebSocket(request, response).then(stream.run, stream.leave)
    return
  }
  const socket = await openWebSocket(request, response).catch(() => null)
  if (!socket) return
  const close = closerOf(ctx, socket, requestId(response))
  try {
    const credential = await firstMessage(socket, () => close(codes.policy))
    const caller = await callerOfLateCredential(ctx, request, credential)
    const stream = await begin(ctx, operation, caller, requestId(response), await quotesOf(caller))
    stream.run(socket, close)
  } catch (error) {
    close(error instanceof UnsupportedMessageError ? codes.unsupported : error)
  }
}

/** The source in an operation's answer; its messages keep to the contract. */
export function checkedQuotes(
  { quotes }: Answer,
  operation: Operation,
  keep: (of: Operation, answer: Answer) => void,
): QuoteSource {
  if (!quotes) throw new Error(`the answer of ${operation.operationId} has no quotes`)
  return {
    key: `${operation.operationId} ${quotes.key}`,
    async request(readers) {
      const quote = await quotes.request(readers)
      const present = () => {
        const body = quote.present()
        keep(operation, { status: 101, body: { quote: body } })
        return body
      }
      return { ...quote, present }
    },
  }
}

type Close = (why: unknown) => void

interface Stream {
  run(socket: WebSocket, close?: Close): void
  leave(): void
}

/**
 * Takes a place and the first quote: both can still be refused.
 * @throws ApiError
 */
async function begin(
  ctx: ApiContext,
  { operationId }: Operation,
  caller: Caller,
  id: string,
  source: QuoteSource,
): Promise<Stream> {
  let beat = () => {}
  let last: Newest | null = null
  let read = (newest: Newest) => {
    last = newest
  }
  const place = await ctx.streams.take(caller, operationId, () => beat())
  const joined = await ctx.streams.quotes
    .join(source, caller.businessId, (newest) => read(newest))
    .catch((error) => {
      place.leave()
      throw error
    })
  const leave = () => {
    place.leave()
    joined.leave()
  }
  const first = joined.newest
  if ('failure' in first) {
    leave()
    throw first.failure
  }
  return {
    leave,
    run(socket, close = closerOf(ctx, socket, id)) {
      if (socket.readyState === socket.CLOSED) return leave()
      socket.once('close', leave)
      const send = newestOnly(socket)
      read = (newest) => {
        if ('message' in newest) send(newest.message)
        else if (isLasting(newest.failure)) close(newest.failure)
        else send(JSON.stringify({ error: errorBody(newest.failure, id) }))
      }
      beat = heartbeat(ctx, { caller, operationId }, socket, close)
      socket
        .removeAllListeners('message')
        .on('message', (_data, isBinary) => close(isBinary ? codes.unsupported : codes.policy))
      read(last ?? first)
    },
  }
}

/** Ends a stream whose client does not answer, or whose credential was lost; called every 15 seconds. */
function heartbeat(
  ctx: ApiContext,
  { caller, operationId }: { caller: Caller; operationId: string },
  socket: WebSocket,
  close: Close,
): () => void {
  const expiresAt = caller.account?.tokenExpiresAt ?? Number.POSITIVE_INFINITY
  let confirmedAt = performance.now()
  let isSilent = false
  socket.on('pong', () => {
    isSilent = false
  })
  return () => {
    const now = performance.now()
    if (isSilent) return socket.terminate()
    isSilent = true
    socket.ping()
    if (Date.now() >= expiresAt) return close(noCredential('The access token has expired; log in again'))
    if (now - confirmedAt >= maxUnconfirmedMs) return close(codes.tryAgainLater)
    confirmShared(ctx, caller, operationId).then(
      () => {
        confirmedAt = now
      },
      (error) => error instanceof ApiError && error.status < 500 && close(error),
    )
  }
}

/** Closes a WebSocket once: with a code, or for an error. It is closed when the process stops, too. */
function closerOf({ streams, log }: ApiContext, socket: WebSocket, id: string): Close {
  let code: number | null = null
  const close: Close = (why) => {
    if (code !== null || socket.readyState !== socket.OPEN) return
    const reason = typeof why === 'number' || why instanceof ApiError ? why : unexpected(why)
    code = closeWebSocket(socket, reason, id)
    if (code >= 4500) log.error({ requestId: id, err: why }, 'a stream of quotes failed')
  }
  const forget = streams.onStop(() => close(codes.goingAway))
  socket.once('close', () => {
    forget()
    streams.ended(code)
  })
  return close
}
