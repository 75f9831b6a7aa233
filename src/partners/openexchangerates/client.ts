import { z } from 'zod'
import { messageOf } from '../../platform/errors.ts'
import type { Secret } from '../../platform/secrets.ts'
import type { SettingValues } from '../../platform/settings.ts'
import { inSpan } from '../../platform/telemetry/tracing.ts'
import type { Rate, RateFeed } from '../../pricing/rates.ts'
import { type feedSettings, openExchangeRates } from '../../pricing/settings.ts'
import { JsonNumber, parseExact, plainDecimal } from '../exactJson.ts'
import { RateFeedError } from './rateFeedError.ts'

export interface OpenExchangeRatesAccount {
  url: string
  appId: Secret
  timeoutMs: number
}

/** 170 currencies have about 4 kB. */
const maxAnswerBytes = 2 ** 18

const number = z.instanceof(JsonNumber)
const form = z.object({ timestamp: number, base: z.string(), rates: z.record(z.string(), number) })

/** The account that a process is configured with; null: there is no second source of rates. */
export const openExchangeRatesFrom = (values: SettingValues<typeof feedSettings>): RateFeed | null =>
  values.OPENEXCHANGERATES_APP_ID
    ? createOpenExchangeRates({
        url: values.OPENEXCHANGERATES_URL,
        appId: values.OPENEXCHANGERATES_APP_ID,
        timeoutMs: values.OPENEXCHANGERATES_TIMEOUT_MS,
      })
    : null

/**
 * Rates of Open Exchange Rates, by https://docs.openexchangerates.org/reference/latest-json: units of each
 * currency for one US dollar, all as of one time.
 */
export const createOpenExchangeRates = (account: OpenExchangeRatesAccount): RateFeed => ({
  name: openExchangeRates,
  url: account.url,
  async rates() {
    const { timestamp, base, rates } = read(await request(account))
    // Any base but the dollar would make every price wrong. The plans that cost nothing have no other.
    if (base !== 'USD')
      throw new RateFeedError('invalid_answer', 'it answered rates of another base than USD')
    const at = timeOf(timestamp)
    return Object.entries(rates).flatMap(([currency, rate]): Rate[] => {
      const decimal = plainDecimal(rate.literal)
      return decimal !== null && /^[\d.]*[1-9]/.test(decimal)
        ? [{ currency, buy: decimal, sell: decimal, at }]
        : []
    })
  },
})

/** @throws RateFeedError */
function request({ url: base, appId, timeoutMs }: OpenExchangeRatesAccount): Promise<string> {
  const url = `${base.replace(/\/+$/, '')}/latest.json`
  const attributes = { 'http.request.method': 'GET', 'server.address': new URL(url).hostname }
  return inSpan(`GET ${openExchangeRates}`, { kind: 'client', attributes }, async (span) => {
    const { request: send } = await import('undici')
    // In a header, because URLs are logged on the way.
    const headers = { accept: 'application/json', authorization: `Token ${appId.reveal()}` }
    const [status, text] = await send(url, { headers, signal: AbortSignal.timeout(timeoutMs) })
      .then(async ({ statusCode, body }) => [statusCode, await textOf(body)] as const)
      .catch((error: unknown) => {
        throw new RateFeedError('unavailable', `it did not answer: ${messageOf(error)}`)
      })
    span.set({ 'http.response.status_code': status })
    if (status === 200) return text
    span.fail(String(status))
    throw new RateFeedError(problemOf(status), `it answered ${status}${codeOf(text)}`)
  })
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > maxAnswerBytes) throw new Error('the answer is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function problemOf(status: number) {
  if (status === 429) return 'throttled'
  return status === 401 || status === 403 ? 'refused' : 'unavailable'
}

/** Its own term for an error, such as `invalid_app_id`. Its description is dropped. */
function codeOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' && /^[a-z_]{1,40}$/.test(message) ? `: ${message}` : ''
  } catch {
    return ''
  }
}

function read(text: string): z.output<typeof form> {
  let content: unknown
  try {
    content = parseExact(text)
  } catch {
    throw new RateFeedError('invalid_answer', 'it answered a text that is not JSON')
  }
  const outcome = form.safeParse(content)
  if (outcome.success) return outcome.data
  const fields = [...new Set(outcome.error.issues.map(({ path }) => path.join('.') || 'the whole'))].slice(
    0,
    5,
  )
  throw new RateFeedError(
    'invalid_answer',
    `it answered in another form than documented: ${fields.map((each) => each.slice(0, 40)).join(', ')}`,
  )
}

/** From seconds since 1970. */
function timeOf({ literal }: JsonNumber): Date {
  if (!/^\d{9,11}$/.test(literal))
    throw new RateFeedError('invalid_answer', 'it answered in another form than documented: timestamp')
  return new Date(Number(literal) * 1000)
}
