import { randomBytes } from 'node:crypto'
import { request } from 'node:http'

export interface UpgradeAnswer {
  status: number
  text: string
  headers: Headers
}

/** Sends the opening handshake of a WebSocket, which `fetch` cannot. The connection is closed after a 101. */
export function sendUpgrade(
  url: string,
  headers: Record<string, string | string[]>,
  method = 'GET',
): Promise<UpgradeAnswer> {
  const handshake = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...handshake, ...headers }, agent: false })
    sent.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({
        status: response.statusCode ?? 0,
        text: '{}',
        headers: new Headers(response.headers as Record<string, string>),
      })
    })
    sent.on('response', async (response) => {
      const text = (await response.toArray()).join('')
      resolve({
        status: response.statusCode ?? 0,
        text,
        headers: new Headers(response.headers as Record<string, string>),
      })
    })
    sent.on('error', reject).end()
  })
}
