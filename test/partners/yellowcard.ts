import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A stand-in for Yellow Card's business API: rates, channels and networks in the shape of their reference, with their authentication checked as they
 * describe it. Shares no code with our client.
 */
export interface YellowCardStandIn {
  url: string
  /** Mode of the next answers. */
  mode: 'ok' | 'down' | 'garbage' | 'stale' | 'slow'
  /** Added to the usual rates. */
  moreRates: typeof rates
  /** What it answers as its networks. */
  networks: typeof networks
  /** Paths that were requested with a valid signature. */
  asked: string[]
  close(): Promise<void>
}

export interface YellowCardCredentials {
  apiKey: string
  secretKey: string
}

const clockToleranceMs = 5 * 60_000

export async function startYellowCard(credentials: YellowCardCredentials, port = 0): Promise<YellowCardStandIn> {
  const standIn: YellowCardStandIn = { url: '', mode: 'ok', moreRates: [], networks, asked: [], close: async () => {} }
  const server = createServer((request, response) => void answer(standIn, credentials, request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve()))
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  standIn.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return standIn
}

async function answer(
  standIn: YellowCardStandIn,
  credentials: YellowCardCredentials,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const json = (status: number, body: unknown) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const path = (request.url ?? '').split('?')[0] ?? ''
  if (!isSigned(request, path, credentials)) return void json(401, { code: 'AuthorizationError', message: 'Unauthorized' })
  standIn.asked.push(path)
  if (standIn.mode === 'down') return void json(503, { code: 'ServiceUnavailable', message: 'try again later' })
  if (standIn.mode === 'garbage') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  if (standIn.mode === 'slow') return // Never answers: the client's deadline must end it.
  const updatedAt = new Date(standIn.mode === 'stale' ? Date.now() - 24 * 3_600_000 : Date.now()).toISOString()
  if (path === '/business/rates') return void json(200, { rates: [...rates, ...standIn.moreRates].map((rate) => ({ ...rate, updatedAt })) })
  if (path === '/business/channels') return void json(200, { channels })
  if (path === '/business/networks') return void json(200, { networks: standIn.networks })
  json(404, { code: 'NotFound', message: 'no such path' })
}

/** Their rule: HMAC-SHA-256 over timestamp + path + method (GET has no body), base64, in `YcHmacV1 key:signature`. */
function isSigned(request: IncomingMessage, path: string, { apiKey, secretKey }: YellowCardCredentials): boolean {
  const timestamp = String(request.headers['x-yc-timestamp'])
  if (!(Math.abs(Date.now() - Date.parse(timestamp)) < clockToleranceMs)) return false
  const message = [timestamp, path, request.method].join('')
  const expected = `YcHmacV1 ${apiKey}:${createHmac('sha256', secretKey).update(Buffer.from(message, 'utf8')).digest('base64')}`
  return request.headers.authorization === expected
}

const rates = [
  { buy: 1620, sell: 1600, locale: 'NG', rateId: 'nigerian-naira', code: 'NGN' },
  { buy: 130.5, sell: 128.1, locale: 'KE', rateId: 'kenyan-shilling', code: 'KES' },
  { buy: 618.25, sell: 604.75, locale: 'CI', rateId: 'west-african-franc', code: 'XOF' },
  { buy: 1, sell: 1, locale: 'US', rateId: 'us-dollar', code: 'USD' },
]

const channel = (id: string, country: string, currency: string, channelType: string) => ({
  id,
  country,
  currency,
  countryCurrency: country + currency,
  channelType,
  rampType: 'withdraw',
  status: 'active',
  apiStatus: 'active',
  widgetStatus: 'active',
  settlementType: 'instant',
  estimatedSettlementTime: 60,
  feeLocal: 0,
  feeUSD: 0,
  min: 100,
  max: 10_000_000,
  vendorId: 'vendor',
  createdAt: '2024-01-01T00:00:00.000Z',
  updatedAt: '2024-01-01T00:00:00.000Z',
})
const channels = [
  channel('fe8f4989-3bf6-41ca-9621-ffe2bc127569', 'NG', 'NGN', 'bank'),
  channel('a3b1f5c2-52c6-4e3a-8a43-2c2a4a3f1f10', 'KE', 'KES', 'bank'),
  channel('0a0b1f5c-1111-4e3a-8a43-2c2a4a3f1f11', 'KE', 'KES', 'momo'),
]

const network = (id: string, name: string, code: string, country: string, channelIds: string[], more: object = {}) => ({
  id,
  name,
  code,
  country,
  channelIds,
  status: 'active',
  accountNumberType: 'bank',
  countryAccountNumberType: `${country}BANK`,
  createdAt: '2024-01-01T00:00:00.000Z',
  updatedAt: '2024-01-01T00:00:00.000Z',
  ...more,
})
const networks = [
  network('5f1af11b-305f-4420-8fce-65ed2725a409', 'Guaranty Trust Bank', '058', 'NG', ['fe8f4989-3bf6-41ca-9621-ffe2bc127569']),
  network('31cfcc77-8904-4f86-879c-a0d18b4b9365', 'Access Bank', '044', 'NG', ['fe8f4989-3bf6-41ca-9621-ffe2bc127569']),
  network('7ea6df5c-6bba-46b2-a7e6-f511959e7edb', 'Equity Bank', '068', 'KE', ['a3b1f5c2-52c6-4e3a-8a43-2c2a4a3f1f10']),
  network('e4b1f5c2-0000-4e3a-8a43-2c2a4a3f1f12', 'M-PESA', 'MPESA', 'KE', ['0a0b1f5c-1111-4e3a-8a43-2c2a4a3f1f11'], { accountNumberType: 'phone' }),
  network('c0ffee00-0000-4e3a-8a43-2c2a4a3f1f13', 'Closed Bank', '999', 'NG', ['fe8f4989-3bf6-41ca-9621-ffe2bc127569'], { status: 'inactive' }),
]
