import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { startYellowCard, type YellowCardStandIn } from '../../../test/partners/yellowcard.ts'
import { Secret } from '../../platform/secrets.ts'
import { createYellowCard } from './client.ts'

let standIn: YellowCardStandIn
const credentials = { apiKey: 'key', secretKey: 'partner-secret' }
const client = (secretKey = credentials.secretKey, timeoutMs = 20_000) =>
  createYellowCard({
    url: standIn.url,
    apiKey: credentials.apiKey,
    secretKey: new Secret(secretKey),
    timeoutMs,
  })

beforeEach(async () => {
  standIn = await startYellowCard(credentials)
})
afterEach(() => standIn.close())

test('rates are exact decimals with their time', async () => {
  const rates = await client().rates()
  expect(rates.map(({ currency, buy, sell }) => [currency, buy, sell])).toEqual([
    ['NGN', '1620', '1600'],
    ['KES', '130.5', '128.1'],
    ['XOF', '618.25', '604.75'],
    ['USD', '1', '1'],
  ])
  expect(Date.now() - (rates[0]?.at.getTime() ?? 0)).toBeLessThan(60_000)
})

test('a currency without a usable rate is skipped, the others stay', async () => {
  standIn.moreRates = [
    { buy: 0, sell: 0, locale: 'ZZ', rateId: 'nothing', code: 'ZZZ' },
    { buy: 9.5e-7, sell: 9.5e-7, locale: 'ZZ', rateId: 'tiny', code: 'ZZY' },
  ]
  expect((await client().rates()).map(({ currency }) => currency)).toEqual(['NGN', 'KES', 'XOF', 'USD'])
})

test('banks are the active networks with bank accounts, with the currencies of their channels', async () => {
  const banks = await client().banks()
  expect(
    banks.map(({ name, code, countryCode, currencies }) => [name, code, countryCode, currencies]),
  ).toEqual([
    ['Guaranty Trust Bank', '058', 'NG', ['NGN']],
    ['Access Bank', '044', 'NG', ['NGN']],
    ['Equity Bank', '068', 'KE', ['KES']],
  ])
})

test('a channel that only collects gives a bank no currency', async () => {
  const paying = 'fe8f4989-3bf6-41ca-9621-ffe2bc127569'
  standIn.networks = standIn.networks.map((each) => ({
    ...each,
    channelIds: each.channelIds.filter((id) => id !== paying),
  }))
  const [first] = await client().banks()
  expect([first?.name, first?.currencies]).toEqual(['Guaranty Trust Bank', []])
})

test('a wrong secret is refused by the partner and not retried', async () => {
  await expect(client('wrong').rates()).rejects.toThrow('answered 401')
  expect(standIn.asked).toEqual([])
})

test('a partner that is down is tried three times', async () => {
  standIn.mode = 'down'
  await expect(client().rates()).rejects.toThrow('answered 503')
  expect(standIn.asked).toHaveLength(3)
})

test('an answer that is not JSON, or no answer, is an error and gives no rates', async () => {
  standIn.mode = 'garbage'
  await expect(client().rates()).rejects.toThrow()
  standIn.mode = 'slow'
  await expect(client(credentials.secretKey, 300).rates()).rejects.toThrow(/timeout|aborted/i)
})
