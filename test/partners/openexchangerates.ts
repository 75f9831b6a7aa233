import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A stand-in for Open Exchange Rates (https://docs.openexchangerates.org): `GET /latest.json` and its errors, in
 * the shape of their documentation, with the App ID checked as they describe it. Shares no code with our client.
 */
export interface OpenExchangeRatesStandIn {
  url: string
  /** Mode of the next answers. `flood`: without an end. `slow`: never. */
  mode: 'ok' | 'down' | 'garbage' | 'flood' | 'slow' | 'throttled' | 'restricted'
  /** Units for one dollar, as the literals of JSON numbers. */
  rates: Record<string, string>
  base: string
  /** By how many seconds the rates are older than the answer. */
  ageSeconds: number
  /** Requests that had the right App ID. */
  asked: number
  close(): Promise<void>
}

/** From their example of latest.json, and a few more in the same form. BTC and XAU are no currencies of ISO 4217. */
export const documentedRates: Readonly<Record<string, string>> = {
  AED: '3.672538',
  AFN: '66.809999',
  ALL: '125.716501',
  AMD: '484.902502',
  ANG: '1.788575',
  AOA: '135.295998',
  ARS: '9.750101',
  AUD: '1.390866',
  BTC: '0.0023825732',
  EUR: '0.9125',
  KES: '129.35',
  KWD: '0.30345',
  USD: '1',
  VND: '22474.0167',
  XAU: '0.00093',
  XOF: '598.5512',
}

const errors = {
  401: ['invalid_app_id', 'Invalid App ID provided - please sign up at https://openexchangerates.org/signup'],
  403: ['access_restricted', 'Access restricted for repeated over-use'],
  404: ['not_found', 'This route does not exist - please see the documentation'],
  429: ['not_allowed', 'Your plan does not have access to this feature'],
} as const

export async function startOpenExchangeRates(appId: string): Promise<OpenExchangeRatesStandIn> {
  const standIn: OpenExchangeRatesStandIn = {
    url: '',
    mode: 'ok',
    rates: { ...documentedRates },
    base: 'USD',
    ageSeconds: 0,
    asked: 0,
    close: async () => {},
  }
  const server = createServer((request, response) => {
    answer(standIn, appId, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  standIn.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return standIn
}

function answer(
  standIn: OpenExchangeRatesStandIn,
  appId: string,
  request: IncomingMessage,
  response: ServerResponse,
): unknown {
  const url = new URL(request.url ?? '/', 'http://localhost')
  // "If both are provided, we will use the value from the URL and ignore the header."
  const given =
    url.searchParams.get('app_id') ?? /^Token (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (request.method !== 'GET' || url.pathname !== '/api/latest.json') return refuse(response, 404)
  if (given !== appId) return refuse(response, 401)
  standIn.asked++
  if (standIn.mode === 'slow') return null
  if (standIn.mode === 'restricted') return refuse(response, 403)
  if (standIn.mode === 'throttled') return refuse(response, 429)
  if (standIn.mode === 'down') return response.writeHead(502).end('<html>Bad gateway</html>')
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
  if (standIn.mode === 'garbage') return response.end('<html>Maintenance</html>')
  if (standIn.mode === 'flood') return flood(response)
  return response.end(`{
  "disclaimer": "Usage subject to terms: https://openexchangerates.org/terms",
  "license": "https://openexchangerates.org/license",
  "timestamp": ${Math.floor(Date.now() / 1000) - standIn.ageSeconds},
  "base": "${standIn.base}",
  "rates": {
${Object.entries(standIn.rates)
  .map(([code, rate]) => `    "${code}": ${rate}`)
  .join(',\n')}
  }
}`)
}

function refuse(response: ServerResponse, status: keyof typeof errors): void {
  const [message, description] = errors[status]
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify({ error: true, status, message, description }))
}

function flood(response: ServerResponse): void {
  const piece = ' '.repeat(65_536)
  const more = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', more)
  more()
}
