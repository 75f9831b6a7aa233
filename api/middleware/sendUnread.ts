import type { Request, Response } from 'express'

/** What is still on its way and no more than this is read and dropped, and the connection goes on. */
const droppedBytes = 64 * 2 ** 10
/** A connection that is to close takes this much more, for so long: a client that still sends would otherwise lose the answer. */
const lingerBytes = 16 * 2 ** 20
const lingerMs = 2000

/** Answers a request whose body may not have arrived yet. Nobody waits for a body that nobody reads. */
export function sendUnread(request: Request, response: Response, text: string): void {
  const declared = request.headers['transfer-encoding'] === undefined ? Number(request.headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY
  if (request.complete || declared <= droppedBytes) {
    response.send(text)
    return
  }
  // The client has all of the answer before the connection closes.
  response.setHeader('Connection', 'close')
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.write(text)
  let dropped = 0
  const end = () => {
    clearTimeout(timer)
    request.pause()
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  request
    .on('data', (piece: Buffer) => {
      dropped += piece.length
      if (dropped > lingerBytes) end()
    })
    .once('end', end)
    .once('close', end)
    .resume()
}
