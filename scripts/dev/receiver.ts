import { createServer } from 'node:http'
import { listen } from '../../src/platform/http/http.ts'

/** A received webhook: headers and body as they came, so that the signature can be verified. */
export interface ReceivedWebhook {
  receivedAt: string
  headers: Record<string, string>
  body: string
}

const kept = 2000

/** The demo merchant's server: takes webhooks by POST and shows the last ones by GET. */
export async function startReceiver(port: number): Promise<{ url: string; close(): Promise<void> }> {
  const received: ReceivedWebhook[] = []
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(received))
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        receivedAt: new Date().toISOString(),
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      })
      if (received.length > kept) received.shift()
      response.writeHead(204).end()
    })
  })
  const actual = await listen(server, port, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${actual}/webhooks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
