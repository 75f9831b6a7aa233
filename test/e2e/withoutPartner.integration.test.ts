import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type OpenExchangeRatesStandIn, startOpenExchangeRates } from '../partners/openexchangerates.ts'
import { type ShownQuote, wrongInQuote } from '../promises/amounts/recompute.ts'
import { someCollection } from '../support/sampleRequests.ts'
import { createStack, partnerCredentials, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** A deployment without Yellow Card: prices by a second source and by rates of the operator, each paid. */

const appId = '0123456789abcdef0123456789abcdef'
const dayMs = 86_400_000
const dayOf = (ageDays: number) => new Date(Date.now() - ageDays * dayMs).toISOString().slice(0, 10)
const alone = { YELLOWCARD_URL: '', YELLOWCARD_API_KEY: '', YELLOWCARD_SECRET_KEY: '' }

let stack: Stack
let source: OpenExchangeRatesStandIn
beforeAll(async () => {
  source = await startOpenExchangeRates(appId)
  stack = await createStack({
    separate: true,
    env: {
      ...alone,
      OPENEXCHANGERATES_URL: source.url,
      OPENEXCHANGERATES_APP_ID: appId,
      OPENEXCHANGERATES_POLL_SECONDS: '1',
      OPENEXCHANGERATES_MAX_AGE_SECONDS: '600',
      RATES: `NGN=1650.25@${dayOf(2)},GHS=12.5@${dayOf(9)}`,
    },
  })
})
afterAll(async () => {
  await stack?.close()
  await source?.close()
})

interface Answer {
  error?: string
  fields?: { field: string; code: string; message: string }[]
}
const quote = (body: object) =>
  stack.api<Answer & { rate: string | null; rateSource: string | null }>('POST', '/pos/sessions/quote', {
    chain: 'ethereum',
    token: 'USDC',
    ...body,
  })
const refusalOf = async (body: object) => {
  const answer = await quote(body)
  return [answer.status, answer.body.error, ...(answer.body.fields ?? []).map(({ code }) => code)]
}
/** Waits until quotes of a currency have this source and rate: rates in the database are read every 5 s. */
const rateIs = (localCurrency: string, rate: string | null, rateSource: string | null) =>
  waitFor(
    `${localCurrency} at ${rate} of ${rateSource}`,
    async () => {
      const { body } = await quote({ localAmount: '100', localCurrency })
      return (body.rate ?? null) === rate && (body.rateSource ?? null) === rateSource
    },
    60_000,
  )

test('every process is ready without a partner, and no process has a complaint', async () => {
  for (const [name, process] of stack.processes) {
    const answer = await fetch(process.metricsUrl().replace('/metrics', '/health/ready'))
    expect([name, answer.status]).toEqual([name, 200])
  }
  await rateIs('EUR', '0.9125', 'openexchangerates')
  // The pages may not be built where tests run.
  const complaints = stack.troubles().split('\n')
  expect(
    complaints.filter(
      (line) =>
        line !== '' &&
        !line.includes('the pages are not built') &&
        !line.includes('does not read the chain at present'),
    ),
  ).toEqual([])
  expect(stack.logs()).not.toContain(appId)
})

test('sessions in the token, in dollars, in euros by the second source and in naira by a fixed rate are paid, at amounts that are computed again', async () => {
  const wanted = [
    // In the business's own currency for display.
    { body: { amount: '25.5' }, rate: '1650.25', rateSource: 'fixed' },
    { body: { localAmount: '40.15', localCurrency: 'USD' }, rate: '1', rateSource: 'parity' },
    { body: { localAmount: '19.99', localCurrency: 'EUR' }, rate: '0.9125', rateSource: 'openexchangerates' },
    { body: { localAmount: '165025', localCurrency: 'NGN' }, rate: '1650.25', rateSource: 'fixed' },
    {
      body: { localAmount: '2.125', localCurrency: 'KWD' },
      rate: '0.30345',
      rateSource: 'openexchangerates',
    },
  ]
  const [terms] = await stack.db.query<{ feePercent: string }>(
    'select fee_percent::text as "feePercent" from businesses where id = $1',
    [stack.businessId],
  )
  for (const { body, rate, rateSource } of wanted) {
    const session = await stack.createSession({ amount: undefined, ...body })
    expect(session).toMatchObject({ rate, rateSource })
    const shown = { ...session, amount: session.amountExpected } as SessionBody & ShownQuote
    const asked = 'amount' in body ? { amount: body.amount ?? '' } : { localAmount: body.localAmount ?? '' }
    expect(wrongInQuote(shown, asked, { tokenPlaces: 6, feePercent: terms?.feePercent ?? '' })).toEqual([])
    await stack.pay(session)
    await stack.mine(3)
    const paid = await stack.sessionIs(session.id, 'paid')
    expect(paid).toMatchObject({ amountReceived: session.amountExpected, rate, rateSource })
  }
})

test('what needs the partner is a 503 that says so and changes nothing; the list of banks is empty', async () => {
  expect(await stack.api('GET', '/pos/sessions/banks')).toMatchObject({
    status: 200,
    body: { banks: [], asOf: null },
  })
  const stored = () =>
    stack.db.query(
      'select (select count(*) from fiat_collections) as collections, (select count(*) from outflows) as outflows',
    )
  const before = await stored()
  const collection = await stack.api<Answer>('POST', '/fiat-collections', someCollection())
  expect([collection.status, collection.body.error]).toEqual([503, 'partner_not_configured'])
  const webhook = await stack.api<Answer>('POST', '/partners/yellowcard/webhooks', { id: 'any' })
  expect([webhook.status, webhook.body.error]).toEqual([503, 'partner_not_configured'])
  expect(await stored()).toEqual(before)
})

test('the currencies that have a rate now are listed, with their source and its time', async () => {
  interface Currencies {
    currencies: { currency: string; decimals: number; rate: string; rateAt: string; rateSource: string }[]
  }
  const { status, body } = await stack.api<Currencies>('GET', '/pos/sessions/currencies')
  expect(status).toBe(200)
  // GHS is of nine days ago, which is too old.
  expect(body.currencies.map(({ currency }) => currency).join(' ')).toBe(
    'AED AFN ALL AMD ANG AOA ARS AUD EUR KES KWD NGN USD VND XOF',
  )
  const of = (code: string) => body.currencies.find(({ currency }) => currency === code)
  expect(of('NGN')).toEqual({
    currency: 'NGN',
    decimals: 2,
    rate: '1650.25',
    rateAt: `${dayOf(2)}T00:00:00.000Z`,
    rateSource: 'fixed',
  })
  expect(of('KWD')).toMatchObject({ decimals: 3, rate: '0.30345', rateSource: 'openexchangerates' })
  expect(Date.now() - Date.parse(of('KWD')?.rateAt ?? '')).toBeLessThan(600_000)
  expect(of('USD')).toMatchObject({ decimals: 2, rate: '1', rateSource: 'parity' })
  // Each is the one that a quote takes.
  for (const { currency, rate, rateSource } of body.currencies)
    expect(await quote({ localAmount: '1000', localCurrency: currency })).toMatchObject({
      status: 200,
      body: { rate, rateSource },
    })
})

test('a currency of no source is a 400 with those that there are; XAU and BTC of the source are none', async () => {
  for (const localCurrency of ['ZMW', 'XAU', 'BTC']) {
    const { status, body } = await quote({ localAmount: '10', localCurrency })
    expect([status, body.fields?.[0]?.field, body.fields?.[0]?.code]).toEqual([
      400,
      'localCurrency',
      'unknown_currency',
    ])
    expect(body.fields?.[0]?.message).toBe(
      `no rate for ${localCurrency}; there are rates for AED, AFN, ALL, AMD, ANG, AOA, ARS, AUD, EUR, GHS, KES, KWD, NGN, USD, VND, XOF`,
    )
  }
})

test("rates that are too old are a 503 and are not used: the operator's, and those of the second source", async () => {
  expect(await refusalOf({ localAmount: '10', localCurrency: 'GHS' })).toEqual([503, 'rate_too_old'])
  source.ageSeconds = 601
  await rateIs('EUR', null, null)
  expect(await refusalOf({ localAmount: '10', localCurrency: 'EUR' })).toEqual([503, 'rates_unavailable'])
  const { body } = await stack.api<{ currencies: { currency: string }[] }>('GET', '/pos/sessions/currencies')
  expect(body.currencies.map(({ currency }) => currency)).toEqual(['NGN', 'USD'])
  // Neither needs the second source.
  expect(await quote({ amount: '10' })).toMatchObject({ status: 200, body: { amount: '10' } })
  expect(await quote({ localAmount: '10', localCurrency: 'USD' })).toMatchObject({ body: { rate: '1' } })
  source.ageSeconds = 0
  await rateIs('EUR', '0.9125', 'openexchangerates')
})

test('a source that misbehaves changes no price: its last good rates are used until they are too old', async () => {
  for (const mode of ['garbage', 'throttled', 'restricted', 'down'] as const) {
    const asked = source.asked
    source.mode = mode
    await waitFor(`two requests while the source is ${mode}`, async () => source.asked >= asked + 2, 60_000)
    await rateIs('EUR', '0.9125', 'openexchangerates')
  }
  source.mode = 'ok'
  for (const wild of [{ base: 'EUR' }, { rates: { ...source.rates, EUR: '9.125' } }]) {
    const [asked, before] = [source.asked, { base: source.base, rates: source.rates }]
    Object.assign(source, wild)
    await waitFor('two wild answers', async () => source.asked >= asked + 2, 60_000)
    await rateIs('EUR', '0.9125', 'openexchangerates')
    Object.assign(source, before)
  }
  expect(stack.logs()).not.toContain(appId)
})

const differenceOf = async (currency: string) => {
  const text = await (await fetch(stack.processes.get('worker')?.metricsUrl() ?? '')).text()
  const [, value] =
    new RegExp(`^cowry_rates_difference_percent\\{currency="${currency}".*\\} (\\S+)$`, 'm').exec(text) ?? []
  return value === undefined ? null : Number(value)
}

test('beside a partner, two sources that differ move the metric, and the rate that asks for more tokens is used', async () => {
  expect(await differenceOf('KES')).toBeNull()
  const withPartner = {
    YELLOWCARD_URL: stack.partner.url,
    YELLOWCARD_API_KEY: partnerCredentials.apiKey,
    YELLOWCARD_SECRET_KEY: partnerCredentials.secretKey,
  }
  source.rates = { ...source.rates, NGN: '1500' }
  await Promise.all(['api', 'worker'].map((name) => stack.stop(name)))
  await Promise.all((['api', 'worker'] as const).map((name) => stack.start(name, withPartner)))

  // 1610 and 1500 differ by 7.33 %.
  await rateIs('NGN', '1500', 'openexchangerates')
  await waitFor(
    'the metric',
    async () => Math.abs(((await differenceOf('NGN')) ?? 0) - 7.3333) < 0.01,
    60_000,
  )
  expect(stack.logs()).toContain('two sources of rates differ')
  const session = await stack.createSession({ amount: undefined, localAmount: '15000', localCurrency: 'NGN' })
  expect(session).toMatchObject({ rate: '1500', rateSource: 'openexchangerates' })
  // Within the limit the partner's is used, at which payouts to banks are executed.
  expect(await quote({ localAmount: '100', localCurrency: 'KES' })).toMatchObject({
    body: { rate: '129.3', rateSource: 'yellowcard' },
  })
  source.rates = { ...source.rates, NGN: '1645' }
  await rateIs('NGN', '1610', 'yellowcard')
  await waitFor(
    'the metric',
    async () => Math.abs(((await differenceOf('NGN')) ?? 0) - 2.1739) < 0.01,
    60_000,
  )
})

test('with the limit out of reach the partner is used although the sources differ', async () => {
  source.rates = { ...source.rates, NGN: '1500' }
  await rateIs('NGN', '1500', 'openexchangerates')
  await stack.stop('api')
  await stack.start('api', {
    YELLOWCARD_URL: stack.partner.url,
    YELLOWCARD_API_KEY: partnerCredentials.apiKey,
    YELLOWCARD_SECRET_KEY: partnerCredentials.secretKey,
    RATES_MAX_DIFFERENCE_PERCENT: '100',
  })
  await rateIs('NGN', '1610', 'yellowcard')
})

test('the URL of the partner without its credentials is a mistake that names them', async () => {
  const half = stack.launch('api', { YELLOWCARD_URL: stack.partner.url }, { as: 'half' })
  await expect(half.ready()).rejects.toThrow(
    'YELLOWCARD_URL is set, but YELLOWCARD_API_KEY and YELLOWCARD_SECRET_KEY are not',
  )
  await stack.stop('half')
})
