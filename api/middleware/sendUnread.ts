import type { Request, Response } from 'express'

/** Up to this much of an unread body is read and dropped, and the connection stays open. */
const droppedBytes = 64 * 2 ** 10
/**
 * Before a connection closes, this much more is read, for `lingerMs`: a client that is still sending would
 * otherwise lose the answer.
 */
const lingerBytes = 16 * 2 ** 20
const lingerMs = 2000

/** Answers a request before its body has arrived; the rest of the body is not needed. */
export function sendUnread(request: Request, response: Response, text: string): void {
  const declared =
    request.headers['transfer-encoding'] === undefined
      ? Number(request.headers['content-length'] ?? 0)
      : Number.POSITIVE_INFINITY
  if (request.complete || declared <= droppedBytes) {
    response.send(text)
    return
  }
  // Close only after the client has the whole answer.
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
