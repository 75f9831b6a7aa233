import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import type { Counter } from 'prom-client'
import type { Upload } from '../../src/platform/http/bodies.ts'
import type { BodiesInFlight, BodyOwner } from './bodiesInFlight.ts'
import { refuseEncoding, unsupportedType } from './jsonBody.ts'

/**
 * What an upload counts of the memory for bodies: it is passed on as it arrives. With its sealed pieces it
 * holds up to seven times as much.
 */
const heldBytes = 64 * 2 ** 10

const uploads = new WeakMap<IncomingMessage, Upload>()

/** The body of a request that its handler reads. @throws Error if its operation lacks x-upload */
export function uploadOf(request: IncomingMessage): Upload {
  const upload = uploads.get(request)
  if (!upload) throw new Error('this body is not an upload: its operation lacks x-upload')
  return upload
}

/**
 * Lets the handler of an admitted request read its body. @throws ApiError 415; 429 or 503 if too much is
 * being read
 */
export function startUpload(
  ctx: { bodies: BodiesInFlight; refusals: Counter },
  request: Request,
  response: Response,
  owner: BodyOwner,
): void {
  refuseEncoding(ctx, request)
  if ((request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() !== 'multipart/form-data')
    throw unsupportedType('Send the body as multipart/form-data')
  const stop = new AbortController()
  const hold = ctx.bodies.begin(owner, (reason) => stop.abort(reason))
  response.once('close', hold.release)
  hold.grow(heldBytes)
  const begin = () => {
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue()
  }
  uploads.set(request, { headers: { ...request.headers }, body: request, signal: stop.signal, begin })
}
