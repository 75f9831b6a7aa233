import { createHash, createHmac } from 'node:crypto'
import pRetry, { AbortError } from 'p-retry'
import { z } from 'zod'
import type { Secret } from '../../platform/secrets.ts'
import type { Bank, Rate, RatePartner } from '../../pricing/rates.ts'

export interface YellowCardOptions {
  url: string
  apiKey: string
  secretKey: Secret
  timeoutMs?: number
}

/**
 * Yellow Card's business API. Requests are signed as its documentation says under "Authentication": `Authorization:
 * YcHmacV1 {apiKey}:{signature}` with `X-YC-Timestamp`; the signature is the base64 HMAC-SHA-256 of timestamp, path
 * without query, method and, with a body, its base64 SHA-256.
 */
export function createYellowCard(options: YellowCardOptions): RatePartner {
  return {
    name: 'yellowcard',
    url: options.url,
    async rates() {
      const { rates } = ratesForm.parse(await get(options, '/business/rates'))
      return rates.flatMap((rate): Rate[] => {
        const [buy, sell] = [decimal(rate.buy), decimal(rate.sell)]
        // Skip a currency without a usable rate, and keep the others.
        return buy && sell ? [{ currency: rate.code, buy, sell, at: new Date(rate.updatedAt) }] : []
      })
    },
    async banks() {
      const [networks, channels] = await Promise.all([get(options, '/business/networks'), get(options, '/business/channels')])
      const currencies = new Map(channelsForm.parse(channels).channels.map((channel) => [channel.id, channel.currency]))
      return networksForm
        .parse(networks)
        .networks.filter((network) => network.status === 'active' && network.accountNumberType === 'bank')
        .map(
          (network): Bank => ({
            id: network.id,
            name: network.name,
            code: network.code,
            countryCode: network.country,
            currencies: [...new Set(network.channelIds.flatMap((id) => currencies.get(id) ?? []))],
          }),
        )
    },
  }
}

const ratesForm = z.object({
  rates: z.array(z.object({ code: z.string(), buy: z.number(), sell: z.number(), updatedAt: z.iso.datetime() })),
})
const channelsForm = z.object({ channels: z.array(z.object({ id: z.string(), currency: z.string() })) })
const networksForm = z.object({
  networks: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      code: z.string(),
      country: z.string(),
      status: z.string(),
      accountNumberType: z.string(),
      channelIds: z.array(z.string()),
    }),
  ),
})

/**
 * The partner writes rates as JSON numbers; their shortest decimal form is the intended rate. Null if it is not a rate.
 */
function decimal(number: number): string | null {
  const text = String(number)
  return number > 0 && /^\d+(\.\d+)?$/.test(text) ? text : null
}

/** Signature headers of one request. Exported for its test against the documentation's rule. */
export function yellowCardHeaders(
  options: { apiKey: string; secretKey: Secret },
  at: Date,
  method: string,
  path: string,
  body?: string,
): Record<string, string> {
  const timestamp = at.toISOString()
  const hmac = createHmac('sha256', options.secretKey.reveal()).update(timestamp).update(path).update(method)
  if (body !== undefined) hmac.update(createHash('sha256').update(body).digest('base64'))
  return { 'x-yc-timestamp': timestamp, authorization: `YcHmacV1 ${options.apiKey}:${hmac.digest('base64')}` }
}

/** Tries up to three times; errors that a retry cannot change are not retried. */
function get(options: YellowCardOptions, path: string): Promise<unknown> {
  return pRetry(
    async () => {
      const { request } = await import('undici')
      const { statusCode, body } = await request(new URL(path, options.url), {
        headers: { accept: 'application/json', ...yellowCardHeaders(options, new Date(), 'GET', path) },
        signal: AbortSignal.timeout(options.timeoutMs ?? 5000),
      })
      const text = await body.text()
      if (statusCode === 200) return JSON.parse(text)
      const error = new Error(`Yellow Card answered ${statusCode} to ${path}`)
      throw statusCode < 500 && statusCode !== 429 ? new AbortError(error) : error
    },
    { retries: 2, minTimeout: 200, maxTimeout: 1000 },
  )
}
