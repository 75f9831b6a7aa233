import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import type { Counter } from 'prom-client'
import { ApiError, type FieldMistake, invalidBody, shownField } from '../../src/platform/errors.ts'
import { hasInexactNumber, jsonTokens, problemOfNumber } from '../../src/platform/exactJson.ts'
import { brokenUtf8At } from '../../src/platform/utf8.ts'
import type { Operation } from '../contract.ts'
import type { BodiesInFlight, BodyHold, BodyOwner } from './bodiesInFlight.ts'
import { noteBodyBytes } from './weighRequest.ts'

/** The default size limits. Without a credential, a body is an email address, a password or a token. */
const usualLimits = { public: '8kb', other: '100kb' }

/** In bytes. */
export const maxBodyOf = (operation: Pick<Operation, 'x-max-body' | 'x-scope'>): number =>
  bytesOf(operation['x-max-body'] ?? usualLimits[operation['x-scope'] === 'public' ? 'public' : 'other'])

/**
 * The limit of a request's body in bytes, from its headers alone; null: do not read it. A body of another
 * content type is not read: the validator refuses it.
 * @throws ApiError 413, 415
 */
export function bodyBytesOf(
  ctx: { refusals: Counter },
  { headers }: Request,
  operation: Operation,
): number | null {
  const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null
  if (declared === 0 && headers['content-length'] === undefined) return null
  refuseEncoding(ctx, { headers })
  const [type, ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase())
  if (type !== 'application/json') return null
  const charset = parameters.find((each) => each.startsWith('charset='))?.slice('charset='.length)
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) throw unsupportedType()
  const limit = maxBodyOf(operation)
  if (declared !== null && declared > limit) {
    ctx.refusals.inc({ reason: 'too_large' })
    throw tooLarge(limit)
  }
  return declared ?? limit
}

/** Compression could expand a few bytes without limit. @throws ApiError 415 */
export function refuseEncoding(ctx: { refusals: Counter }, { headers }: Pick<Request, 'headers'>): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return
  ctx.refusals.inc({ reason: 'content_encoding' })
  throw unsupportedEncoding()
}

const rawBodies = new WeakMap<IncomingMessage, Buffer>()

/** The bytes of a body that was read to be kept. @throws Error if it was not */
export function rawBodyOf(request: IncomingMessage): Buffer {
  const bytes = rawBodies.get(request)
  if (!bytes)
    throw new Error('the bytes of this body were not kept: its operation lacks x-raw-body, or it has no body')
  return bytes
}

const digests = new WeakMap<IncomingMessage, Buffer>()

/** SHA-256 of the bytes of a request's body as they came; of no bytes, if it has no body. */
export const bodyDigestOf = (request: IncomingMessage): Buffer =>
  digests.get(request) ?? digestOf(Buffer.alloc(0))

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/**
 * Reads the JSON body of an admitted request. Memory is held as it arrives, until the request is answered.
 * @param limit from `bodyBytesOf`
 * @param keepsRaw keeps the bytes for `rawBodyOf` and does not parse them: a signature is verified first
 * @param ctx.bodyMs the time for a body, where the server's own limit is longer
 * @throws ApiError 400, 413; 429 or 503 if too much is being read
 */
export async function readJsonBody(
  ctx: { bodies: BodiesInFlight; bodyMs?: number },
  request: Request,
  response: Response,
  limit: number,
  owner: BodyOwner,
  keepsRaw: boolean,
): Promise<void> {
  const stop = new AbortController()
  const hold = ctx.bodies.begin(owner, (reason) => stop.abort(reason))
  const late = () => {
    // The rest may never come.
    response.setHeader('Connection', 'close')
    stop.abort(invalid('The body did not arrive in time'))
  }
  const timer = ctx.bodyMs === undefined ? undefined : setTimeout(late, ctx.bodyMs)
  response.once('close', hold.release)
  // Only now: a client that waits for `100 Continue` has sent no body yet.
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue()
  try {
    const bytes = await read(request, limit, hold, stop.signal)
    noteBodyBytes(request, bytes.length)
    if (request.headers['idempotency-key'] !== undefined) digests.set(request, digestOf(bytes))
    if (keepsRaw) rawBodies.set(request, bytes)
    request.body = keepsRaw ? {} : parse(bytes)
  } catch (error) {
    // Release before the answer is sent, so that others can use the memory.
    hold.release()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reads a whole body. Memory grows with the bytes received, not with the declared length or the number of
 * pieces.
 */
function read(request: IncomingMessage, limit: number, hold: BodyHold, stop: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    let length = 0
    const settle = (outcome: () => void) => {
      request.off('data', take).off('end', done).off('close', lost).off('error', lost)
      stop.removeEventListener('abort', giveUp)
      outcome()
    }
    const refuse = (reason: unknown) => {
      request.pause()
      settle(() => reject(reason))
    }
    const take = (piece: Buffer) => {
      try {
        bytes = roomFor(bytes, length, piece.length, limit, hold)
      } catch (error) {
        refuse(error)
        return
      }
      length += piece.copy(bytes, length)
    }
    const done = () => {
      hold.arrived()
      settle(() => resolve(bytes.subarray(0, length)))
    }
    const lost = () => settle(() => reject(invalid('The body did not arrive completely')))
    const giveUp = () => refuse(stop.reason)
    stop.addEventListener('abort', giveUp)
    request.on('data', take).once('end', done).once('close', lost).once('error', lost)
    if (request.destroyed) lost()
  })
}

const firstBytes = 1024

/**
 * A buffer with room for `more` bytes after the first `length`; doubled if it must be replaced.
 * @throws ApiError 413, 429, 503
 */
function roomFor(bytes: Buffer, length: number, more: number, limit: number, hold: BodyHold): Buffer {
  const needed = length + more
  if (needed <= bytes.length) return bytes
  if (needed > limit) throw tooLarge(limit)
  const size = Math.min(limit, Math.max(firstBytes, 2 * bytes.length, needed))
  hold.grow(size)
  const grown = Buffer.allocUnsafeSlow(size)
  bytes.copy(grown, 0, 0, length)
  return grown
}

const utf8 = new TextDecoder()

/** Parses a body that `JSON.parse` keeps as it is: valid UTF-8, and only numbers that keep their digits. */
function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  const at = brokenUtf8At(bytes)
  if (at !== null) throw invalidBody(notUtf8(bytes, at))
  const text = utf8.decode(bytes)
  const body = parseJson(text)
  if (hasInexactNumber(text)) throw invalidBody(...inexactNumbers(text))
  return body
}

function parseJson(text: string): unknown {
  // The body must be an object or an array.
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      // Drop the parser's message: it quotes the body.
    }
  }
  throw invalid('The body is not valid JSON')
}

/**
 * Names the field with a byte that is not UTF-8. As Latin-1 every byte is a character, and JSON's own
 * characters are the same.
 */
function notUtf8(bytes: Buffer, at: number): FieldMistake {
  const text = bytes.toString('latin1')
  // Not valid JSON: it has no fields.
  parseJson(text)
  let field = 'body'
  for (const { path, start, source } of jsonTokens(text))
    if (start <= at && at < start + source.length) field = shown(path)
  return { field, message: `is not valid UTF-8 (byte ${at} of the body)`, code: 'unsafe_text' }
}

/** More would not help the caller. */
const maxNamed = 20

function inexactNumbers(text: string): FieldMistake[] {
  const wrong: FieldMistake[] = []
  for (const { kind, path, source } of jsonTokens(text)) {
    const message = kind === 'number' ? problemOfNumber(source) : null
    if (message !== null) wrong.push({ field: shown(path), message, code: 'inexact_number' })
    if (wrong.length === maxNamed) break
  }
  return wrong
}

const shown = (path: readonly string[]): string => path.slice(0, 6).map(shownField).join('.') || 'body'

/** `4mb` in bytes. */
function bytesOf(size: string): number {
  const [, count, unit] = /^(\d+)(kb|mb)$/.exec(size) ?? []
  if (count === undefined) throw new Error(`${size} is not a valid body size`)
  return Number(count) * (unit === 'mb' ? 2 ** 20 : 2 ** 10)
}

const shownSize = (bytes: number): string =>
  bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MB` : `${bytes / 2 ** 10} kB`

const invalid = (why: string) => new ApiError(400, 'Invalid request body', why)
const tooLarge = (limit: number) =>
  new ApiError(413, 'Request body too large', `The body may have ${shownSize(limit)} at most`)
export const unsupportedType = (why = 'Send the body as application/json in UTF-8') =>
  new ApiError(415, 'Unsupported media type', why)
const unsupportedEncoding = () =>
  new ApiError(415, 'Unsupported media type', 'Content-Encoding: send the body as it is, not compressed')
