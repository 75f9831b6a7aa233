import type { Response } from 'express'
import type { StreamedFile } from '../src/http/request.ts'
import { ApiError } from '../src/platform/errors.ts'
import type { StreamPiece } from '../src/platform/http/bodies.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import { requestId } from './middleware/requestId.ts'

/**
 * Sends Server-Sent Events, or a file. A caller who reads slowly holds one piece: the next is made when the
 * one before has left.
 * @param signal aborted when the caller has gone or the process stops; a stream that is not read then ends
 * without its last piece
 * @param check throws for a piece that breaks the contract
 * @throws what the first piece throws: nothing is sent yet
 */
export async function sendStream(
  ctx: { log: Log },
  response: Response,
  pieces: AsyncGenerator<StreamPiece, void, undefined>,
  signal: AbortSignal,
  check: (body: object | undefined) => void,
  file?: StreamedFile,
): Promise<void> {
  try {
    const first = await pieces.next()
    // Proxies must not hold pieces back. Connections of streams are not used again: most end with the
    // process.
    response.writeHead(200, {
      'Content-Type': file?.type ?? 'text/event-stream; charset=utf-8',
      ...(file && { 'Content-Disposition': `attachment; filename="${file.name}"` }),
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
      Connection: 'close',
    })
    if (file?.head) response.write(file.head)
    for (let piece = first; !piece.done && !response.destroyed; piece = await pieces.next()) {
      check(piece.value.body)
      if (!response.write(piece.value.text)) await drained(response, signal)
    }
  } catch (error) {
    if (!response.headersSent) throw error
    // The client connects again, and gets the reason as an answer; who has gone gets none.
    if (!(error instanceof ApiError) && !signal.aborted)
      ctx.log.error({ requestId: requestId(response), err: error }, 'a stream failed')
    if (file) response.destroy()
  } finally {
    await pieces.return()
  }
  if (response.writableNeedDrain) response.destroy()
  else if (!response.destroyed) response.end()
}

function drained(response: Response, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
    signal.addEventListener('abort', done, { once: true })
  })
}
