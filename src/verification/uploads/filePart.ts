import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { ApiError, invalidBody } from '../../platform/errors.ts'
import type { Upload } from '../../platform/http/bodies.ts'
import { type Pace, watchPace } from './pace.ts'

/** 25 MB at the floor take less than half an hour. */
const usualPace: Pace = { idleMs: 15_000, minRate: 16 * 2 ** 10, spareMs: 30_000 }
/** Of a form without its file. */
const formBytes = 64 * 2 ** 10
const limits = { files: 1, fields: 0, parts: 2, fieldNameSize: 100, headerPairs: 20, headerSize: 8 * 2 ** 10 }

const tooLarge = () => new ApiError(400, 'File too large (max 25MB)')
const notOneFile = () =>
  invalidBody({
    field: 'file',
    message: 'must be the only part of the body, and a file',
    code: 'invalid_form',
  })
const notMultipart = () =>
  new ApiError(400, 'Invalid request body', 'The body is not valid multipart/form-data')
const incomplete = () => new ApiError(400, 'Invalid request body', 'The body did not arrive completely')
const tooSlow = () =>
  new ApiError(400, 'Invalid request body', 'The body arrived too slowly: send 16 kB a second')

/**
 * Gives the one file of a multipart body to `store` as it arrives. A refusal does not wait for the rest of
 * the body, and ends `store` with an error.
 * @param store reads the whole file
 * @param pace how slowly the body may arrive; its whole time has no limit
 * @throws ApiError 400; what `store` throws; the reason of the upload's signal
 */
export function readFilePart(
  { headers, body, signal, begin }: Upload,
  maxBytes: number,
  store: (file: AsyncIterable<Uint8Array>) => Promise<void>,
  pace = usualPace,
) {
  return new Promise<void>((resolve, reject) => {
    let file: BusboyFileStream | null = null
    let stored: Promise<void> | null = null
    if (Number(headers['content-length'] ?? 0) > maxBytes + formBytes) return reject(tooLarge())
    const parser = parserOf(headers, maxBytes)
    const settle = () => {
      watched.end()
      body.off('data', arrived).off('end', arrivedWhole).off('close', lost).off('error', lost)
      signal.removeEventListener('abort', giveUp)
    }
    let refused = false
    const refuse = async (reason: unknown) => {
      if (refused) return
      refused = true
      settle()
      body.unpipe(parser)
      body.pause()
      file?.destroy(reason as Error)
      // Nothing of it is left when the caller has the answer.
      await stored?.catch(() => {})
      reject(reason)
    }
    const once = (reason: () => unknown) => () => void refuse(reason())
    const lost = once(incomplete)
    const giveUp = once(() => signal.reason)
    const watched = watchPace(
      pace,
      () => parser.writableNeedDrain,
      (isIdle) => void refuse(isIdle ? incomplete() : tooSlow()),
    )
    // A request that arrived as a whole closes too.
    const arrivedWhole = () => {
      watched.end()
      body.off('close', lost)
    }
    const arrived = (piece: Uint8Array) => watched.arrived(piece.length)
    parser.on('file', (name: string, stream: BusboyFileStream) => {
      stream.on('error', once(notMultipart))
      if (name !== 'file' || file) return void refuse(notOneFile())
      file = stream
      stream.once('limit', once(tooLarge))
      stored = store(stream)
      stored.catch((error: unknown) => void refuse(error))
    })
    parser
      .on('field', once(notOneFile))
      .on('fieldsLimit', once(notOneFile))
      .on('filesLimit', once(notOneFile))
      .on('partsLimit', once(notOneFile))
    parser.on('error', once(notMultipart))
    parser.on('finish', () => {
      if (!stored) return void refuse(notOneFile())
      stored.then(
        () => {
          settle()
          resolve()
        },
        () => {},
      )
    })
    signal.addEventListener('abort', giveUp)
    body.on('data', arrived).once('end', arrivedWhole).once('close', lost).once('error', lost)
    if (signal.aborted) giveUp()
    else if (body.destroyed) lost()
    else {
      begin()
      body.pipe(parser)
    }
  })
}

/** @throws ApiError 400 */
function parserOf(headers: Upload['headers'], maxBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: { ...limits, fileSize: maxBytes },
    })
  } catch {
    throw notMultipart()
  }
}
