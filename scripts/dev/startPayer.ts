import { createServer, type ServerResponse } from 'node:http'
import type { ChainName } from '../../src/chains/registry.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { listen } from '../../src/platform/http/http.ts'
import { type PayableDevnet, payDevnet } from './payDevnet.ts'

/** A press that is repeated within this time pays nothing more: a payment is seen in the next block. */
const onceMs = 5000

interface Checkout {
  chain: ChainName
  token: string
  address: string
  memo?: string
  amountMissing: string
  status: string
}

/** Pays as the customer. @returns the transaction's id */
type Pay = typeof payDevnet

/**
 * Plays the customer of checkout pages: `GET /pay/<token>` pays what is missing, on the session's devnet. The
 * answer is 204, so that the browser stays on the page that led there.
 * @param apiUrl known when the api has started
 */
export async function startPayer(
  port: number,
  devnets: Partial<Record<string, PayableDevnet>>,
  apiUrl: () => string,
  pay: Pay = payDevnet,
): Promise<{ url: string; close(): Promise<void> }> {
  const sentAt = new Map<string, number>()
  const server = createServer((request, response) => {
    const [, token] = /^\/pay\/([\w-]+)$/.exec(request.url ?? '') ?? []
    if (request.method !== 'GET' || token === undefined)
      return answer(response, 404, 'There is nothing here.')
    payOnce(token).then(
      ({ status, text }) => answer(response, status, text),
      (error: unknown) => answer(response, 502, `The payment failed: ${messageOf(error)}`),
    )
  })

  async function payOnce(token: string): Promise<{ status: number; text: string }> {
    if (Date.now() - (sentAt.get(token) ?? Number.NEGATIVE_INFINITY) < onceMs)
      return { status: 204, text: '' }
    sentAt.set(token, Date.now())
    try {
      const found = await fetch(`${apiUrl()}/checkout/${token}`)
      if (!found.ok) return { status: 404, text: 'There is no such session.' }
      const { chain, amountMissing, status, ...order } = (await found.json()) as Checkout
      const devnet = devnets[chain]
      if (!devnet) return { status: 409, text: `npm start runs no devnet of ${chain}: pay with a wallet.` }
      if (status !== 'pending' || !/[1-9]/.test(amountMissing))
        return { status: 409, text: `The session is ${status}, and nothing is missing.` }
      await pay(chain, devnet, { ...order, amount: amountMissing })
      return { status: 204, text: '' }
    } catch (error) {
      sentAt.delete(token)
      throw error
    }
  }

  const actual = await listen(server, port, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${actual}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}
