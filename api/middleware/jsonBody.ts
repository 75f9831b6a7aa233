import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import type { Counter } from 'prom-client'
import { ApiError } from '../../src/platform/errors.ts'
import type { Operation } from '../contract.ts'
import type { BodiesInFlight, BodyOwner } from './bodiesInFlight.ts'
import { noteBodyBytes } from './weighRequest.ts'

const usualLimit = '100kb'

/**
 * Reads the JSON body of a request whose caller was let in. Another type of content stays unread: the validator refuses it where the operation
 * takes a body. The memory is reserved before anything is read.
 * @throws ApiError 400, 413, 415; 429 or 503 where too much is being read
 */
export async function readJsonBody(
  ctx: { bodies: BodiesInFlight; refusals: Counter },
  request: Request,
  response: Response,
  operation: Operation,
  owner: BodyOwner,
): Promise<void> {
  const { headers } = request
  const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null
  if (declared === 0 && headers['content-length'] === undefined) return
  // A few bytes may stand for as many as anyone likes.
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    ctx.refusals.inc({ reason: 'content_encoding' })
    throw unsupportedEncoding()
  }
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (type !== 'application/json') return
  const charset = parameters.find((each) => each.startsWith('charset='))?.slice('charset='.length)
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) throw unsupportedType()
  const limit = bytesOf(operation['x-max-body'] ?? usualLimit)
  if (declared !== null && declared > limit) {
    ctx.refusals.inc({ reason: 'too_large' })
    throw tooLarge(limit)
  }
  response.once('close', ctx.bodies.reserve(declared ?? limit, owner))
  // Asked for only now: a client that waits for it has sent nothing yet.
  if (headers.expect?.toLowerCase() === '100-continue') response.writeContinue()
  const bytes = await read(request, limit)
  noteBodyBytes(request, bytes.length)
  request.body = parse(bytes)
}

/** All of a body, in memory that grows with what has come: neither its declared length nor small pieces take more. */
function read(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.allocUnsafeSlow(1024)
    let length = 0
    const settle = (outcome: () => void) => {
      request.off('data', take).off('end', done).off('close', lost).off('error', lost)
      outcome()
    }
    const take = (piece: Buffer) => {
      if (length + piece.length > limit) {
        request.pause()
        settle(() => reject(tooLarge(limit)))
        return
      }
      if (length + piece.length > bytes.length) {
        const grown = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(2 * bytes.length, length + piece.length)))
        bytes.copy(grown, 0, 0, length)
        bytes = grown
      }
      length += piece.copy(bytes, length)
    }
    const done = () => settle(() => resolve(bytes.subarray(0, length)))
    const lost = () => settle(() => reject(invalid('The body did not arrive whole')))
    request.on('data', take).once('end', done).once('close', lost).once('error', lost)
    if (request.destroyed) lost()
  })
}

const utf8 = new TextDecoder()

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  const text = utf8.decode(bytes)
  // An object or an array, never a bare value.
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      // Its words would repeat what was sent.
    }
  }
  throw invalid('The body is not valid JSON')
}

/** `4mb` in bytes. */
function bytesOf(size: string): number {
  const [, count, unit] = /^(\d+)(kb|mb)$/.exec(size) ?? []
  if (count === undefined) throw new Error(`${size} is no size of a body`)
  return Number(count) * (unit === 'mb' ? 2 ** 20 : 2 ** 10)
}

const shownSize = (bytes: number): string => (bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MB` : `${bytes / 2 ** 10} kB`)

const invalid = (why: string) => new ApiError(400, 'Invalid request body', why)
const tooLarge = (limit: number) => new ApiError(413, 'Request body too large', `The body may have ${shownSize(limit)} at most`)
export const unsupportedType = () => new ApiError(415, 'Unsupported media type', 'Send the body as application/json in UTF-8')
const unsupportedEncoding = () => new ApiError(415, 'Unsupported media type', 'Content-Encoding: send the body as it is, not compressed')
