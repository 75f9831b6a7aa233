import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { startYellowCard, type YellowCardStandIn } from '../../../test/partners/yellowcard.ts'
import { Secret } from '../../platform/secrets.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { createPriceRates } from '../../pricing/priceRates.ts'
import { createRates } from '../../pricing/rates.ts'
import { createYellowCard } from './client.ts'

let standIn: YellowCardStandIn
const credentials = { apiKey: 'key', secretKey: 'partner-secret' }
beforeEach(async () => {
  standIn = await startYellowCard(credentials)
})
afterEach(() => standIn.close())

/** The list of currencies, of the partner's real client and a second source that has euros. */
function setUp() {
  const log = createLog('test', 'silent')
  const euros = { rate: '0.91', at: new Date(), source: 'second' }
  let sinceStart = 0
  const partner = createRates({
    partner: createYellowCard({
      url: standIn.url,
      apiKey: credentials.apiKey,
      secretKey: new Secret(credentials.secretKey),
      timeoutMs: 5000,
    }),
    breaker: async (rates) => [...rates],
    log,
    maxAgeSeconds: 600,
    now: () => Date.now() + sinceStart,
  })
  const rates = createPriceRates({
    log,
    partner,
    feed: async () => ({
      usable: new Map([['EUR', euros]]),
      refused: new Set(),
      offered: new Set(['EUR']),
      isAwaited: false,
    }),
    fixed: [],
    fixedMaxAgeDays: 7,
    maxDifferencePercent: 2,
  })
  return {
    /** Ends the requests that are open. */
    async recover() {
      standIn.mode = 'ok'
      await partner.midOrNull('ZZZ')
    },
    pass: (ms: number) => {
      sinceStart += ms
    },
    async list() {
      const begun = performance.now()
      const all = await rates.all()
      return { codes: all.map(({ currency }) => currency).join(' '), ms: performance.now() - begun }
    },
  }
}

test('a partner that hangs does not hold up the currencies of the second source', async () => {
  standIn.mode = 'slow'
  const { list, recover } = setUp()
  const { codes, ms } = await list()
  expect(codes).toBe('EUR')
  expect(ms).toBeLessThan(4000)
  await recover()
})

test('rates of the partner that are young enough are listed while it hangs, and no longer when they are too old', async () => {
  const { list, pass, recover } = setUp()
  expect((await list()).codes).toBe('EUR KES NGN USD XOF')
  standIn.mode = 'slow'
  pass(60_000)
  const young = await list()
  expect(young.codes).toBe('EUR KES NGN USD XOF')
  expect(young.ms).toBeLessThan(4000)
  pass(600_000)
  expect((await list()).codes).toBe('EUR')
  await recover()
})
