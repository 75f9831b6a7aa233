import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import {
  documentedRates,
  type OpenExchangeRatesStandIn,
  startOpenExchangeRates,
} from '../../../test/partners/openexchangerates.ts'
import { Secret } from '../../platform/secrets.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { createOpenExchangeRates } from './client.ts'

const appId = '0123456789abcdef0123456789abcdef'
let standIn: OpenExchangeRatesStandIn
beforeAll(async () => {
  standIn = await startOpenExchangeRates(appId)
})
afterAll(() => standIn?.close())
beforeEach(() => {
  Object.assign(standIn, { mode: 'ok', base: 'USD', ageSeconds: 0, rates: { ...documentedRates } })
})

const clientWith = (id = appId, timeoutMs = 5000) =>
  createOpenExchangeRates({ url: standIn.url, appId: new Secret(id), timeoutMs })
const rejects = (problem: string, message: RegExp) =>
  expect(clientWith(appId, 500).rates()).rejects.toMatchObject({
    code: 'rate_feed_failed',
    problem,
    message: expect.stringMatching(message),
  })

test('rates keep their digits, and have the time of the answer', async () => {
  standIn.ageSeconds = 1800
  const rates = await clientWith().rates()
  expect(Object.fromEntries(rates.map(({ currency, buy }) => [currency, buy]))).toEqual(documentedRates)
  expect(rates.every(({ buy, sell }) => buy === sell)).toBe(true)
  const age = Date.now() - (rates[0]?.at.getTime() ?? 0)
  expect([age >= 1_800_000, age < 1_830_000]).toEqual([true, true])
})

test('a rate in the notation of small numbers is exact; zero and less are left out', async () => {
  standIn.rates = { EUR: '9.125e-1', KES: '0', NGN: '-1650', XOF: '0.000', KWD: '3.0345E-01' }
  expect((await clientWith().rates()).map(({ currency, buy }) => [currency, buy])).toEqual([
    ['EUR', '0.9125'],
    ['KWD', '0.30345'],
  ])
})

test('another base than the US dollar is refused whole', async () => {
  standIn.base = 'EUR'
  await rejects('invalid_answer', /another base than USD/)
})

test.each([
  ['throttled', 'throttled', /answered 429: not_allowed/],
  ['restricted', 'refused', /answered 403: access_restricted/],
  ['down', 'unavailable', /answered 502$/],
  ['slow', 'unavailable', /did not answer/],
  ['garbage', 'invalid_answer', /not JSON/],
  ['flood', 'unavailable', /too large/],
] as const)('an answer that is %s is an error of its kind', async (mode, problem, message) => {
  standIn.mode = mode
  await rejects(problem, message)
})

test('an answer in another form names the field, and no rate is taken', async () => {
  standIn.rates = { EUR: '"0.91"' }
  await rejects('invalid_answer', /another form than documented: rates\.EUR/)
})

test('a wrong App ID is refused, and is in no error', async () => {
  const wrong = 'ffffffffffffffffffffffffffffffff'
  const error = await clientWith(wrong)
    .rates()
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ problem: 'refused', message: expect.stringMatching(/401: invalid_app_id/) })
  const lines: string[] = []
  createLog('test', 'debug', { write: (line) => void lines.push(line) }).warn({ err: error }, 'failed')
  expect(lines.join()).not.toContain(wrong)
})
