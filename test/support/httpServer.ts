import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** An HTTP server for one test with configurable answers. It records the requests. */
export interface TestServer {
  /** Without a path. */
  url: string
  port: number
  heard: ReceivedRequest[]
  /** Decides the next answers; may leave a request without one. */
  answer: (response: ServerResponse, request: ReceivedRequest) => void
  close(): Promise<void>
}

export async function startServer(
  answer: TestServer['answer'] = (response) => void response.end(),
): Promise<TestServer> {
  const made: TestServer = { url: '', port: 0, heard: [], answer, close: async () => {} }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const heard: ReceivedRequest = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      made.heard.push(heard)
      made.answer(response, heard)
    })
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve()),
  )
  made.port = (server.address() as AddressInfo).port
  made.url = `http://127.0.0.1:${made.port}`
  made.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return made
}
