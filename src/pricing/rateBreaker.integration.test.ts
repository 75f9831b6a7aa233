import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { runScript } from '../../test/support/command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { createRateBreaker } from './rateBreaker.ts'
import { createRateMetrics } from './rateMetrics.ts'
import { createRates } from './rates.ts'
import { readFeed } from './storedFeed.ts'
import { readStoredRates } from './storedRates.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
afterEach(() => database.db.query('delete from partner_rates'))

const partner = { name: 'yellowcard', url: 'https://rates.test' }
const limits = { maxSpreadPercent: 10, maxJumpPercent: 10 }
const at = new Date('2026-01-01T12:00:00.000Z')
const naira = (buy: string, sell: string, when = at) => ({ currency: 'NGN', buy, sell, at: when })

/** One process. */
function setUp(of = partner) {
  const lines: string[] = []
  const log = createLog('test', 'warn', { write: (line) => void lines.push(line) })
  return { lines, decide: createRateBreaker({ db: database.db, log, partner: of, limits }) }
}

const accept = (...args: string[]) =>
  runScript('rates', args, () => ({
    DATABASE_URL: database.url,
    YELLOWCARD_URL: partner.url,
    YELLOWCARD_API_KEY: 'key',
    YELLOWCARD_SECRET_KEY: 'secret',
  }))
const byHand = ['--operator', 'Ada', '--evidence', 'central bank, notice 7']

test('the last accepted rate stays in use, for every process, while the partner answers others; both are in the log and the metrics', async () => {
  const one = setUp()
  expect(await one.decide([naira('1620', '1600')])).toMatchObject([naira('1620', '1600')])
  const later = new Date(at.getTime() + 60_000)
  expect(await one.decide([naira('1620', '3000000', later)])).toMatchObject([naira('1620', '1600')])
  const two = setUp()
  expect(await two.decide([naira('3240', '3200', later)])).toMatchObject([naira('1620', '1600')])
  expect(one.lines.map((line) => JSON.parse(line))).toMatchObject([
    { currency: 'NGN', reason: 'spread', accepted: '1610', refused: '1500810' },
  ])
  expect(two.lines.map((line) => JSON.parse(line))).toMatchObject([
    { currency: 'NGN', reason: 'jump', accepted: '1610', refused: '3220' },
  ])

  const metrics = createMetrics('test')
  createRateMetrics(metrics, database.db, {
    partner,
    partnerMaxAgeSeconds: 900,
    second: null,
    secondMaxAgeSeconds: 900,
    maxDifferencePercent: 2,
  })
  const text = await metrics.exposition()
  expect(text).toMatch(/cowry_rate\{currency="NGN",kind="accepted".*\} 1610$/m)
  expect(text).toMatch(/cowry_rate\{currency="NGN",kind="refused".*\} 3220$/m)
  expect(text).toMatch(/cowry_rate_refused_seconds\{currency="NGN".*\} [0-9.e-]*[1-9]/m)

  expect(await two.decide([naira('1700', '1690', later)])).toMatchObject([naira('1700', '1690', later)])
  expect(await readStoredRates(database.db, partner)).toMatchObject([
    { refused: null, accepted: { anchor: { buy: '1620', sell: '1600' } } },
  ])
})

test('the age of the second source is that of its newest answer, refused or not; before the first, the time since the start', async () => {
  const second = { name: 'second', url: 'http://second.example' }
  const metrics = createMetrics('test')
  createRateMetrics(metrics, database.db, {
    partner,
    partnerMaxAgeSeconds: 900,
    second,
    secondMaxAgeSeconds: 10_800,
    maxDifferencePercent: 2,
  })
  const age = async () => {
    const text = await metrics.exposition()
    expect(text).toMatch(/^cowry_rate_source_max_age_seconds\{source="second".*\} 10800$/m)
    return Number(/^cowry_rate_source_age_seconds\{source="second".*\} (\S+)$/m.exec(text)?.[1])
  }
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
  expect(await age()).toBeLessThan(300)
  const decide = createRateBreaker({
    db: database.db,
    log: createLog('test', 'silent'),
    partner: second,
    limits,
  })
  await decide([naira('1620', '1600', ago(12_000)), { ...naira('130', '129', ago(20_000)), currency: 'KES' }])
  await waitFor('the stored rates', async () => (await age()) > 11_000)
  expect(await age()).toBeLessThan(12_300)
  await decide([naira('3240', '3200', ago(4000))])
  await waitFor('the refused rate', async () => (await age()) < 4300)
})

test('a refused rate lets the accepted one live out its age, and no longer', async () => {
  const { decide } = setUp()
  let now = at.getTime()
  let sell = '1600'
  const log = createLog('test', 'silent')
  const rates = createRates({
    partner: { name: partner.name, rates: async () => [naira('1620', sell, new Date(now))] },
    breaker: decide,
    log,
    maxAgeSeconds: 900,
    now: () => now,
  })
  expect(await rates.mid('NGN')).toMatchObject({ rate: '1610' })
  sell = '3000000'
  for (const step of [16_000, 884_000]) {
    now += step
    expect(await rates.midOrNull('NGN')).toMatchObject({ rate: '1610', at })
  }
  now += 1
  expect(await rates.midOrNull('NGN')).toBeNull()
  now += 16_000
  await expect(rates.mid('NGN')).rejects.toMatchObject({ status: 503, error: 'rates_unavailable' })
})

test('the same answer decided again, as after a crash, and by many processes at once, changes nothing', async () => {
  const processes = Array.from({ length: 5 }, setUp)
  const answers = await Promise.all(
    processes.map(({ decide }) => decide([naira('1620', '1600'), { ...naira('1', '9'), currency: 'KES' }])),
  )
  for (const answer of answers) expect(answer).toMatchObject([naira('1620', '1600')])
  const before = await readStoredRates(database.db, partner)
  expect(before.map(({ currency }) => currency)).toEqual(['KES', 'NGN'])
  await setUp().decide([naira('1620', '1600'), { ...naira('1', '9'), currency: 'KES' }])
  expect(await readStoredRates(database.db, partner)).toEqual(before)
})

test('a stored rate before a refused one is known as that, until a later answer is accepted', async () => {
  const second = { name: 'second', url: 'http://second.example' }
  const { decide } = setUp(second)
  const before = new Date(Date.now() - 3_600_000)
  await decide([naira('1620', '1600', before)])
  const read = () => readFeed(database.db, second, 10_800)
  const usable = new Map([['NGN', { rate: '1610', at: before, source: 'second' }]])
  expect(await read()).toMatchObject({ usable, refused: new Set() })
  await decide([naira('3240', '3200', new Date())])
  expect(await read()).toMatchObject({ usable, refused: new Set(['NGN']), offered: new Set(['NGN']) })
  await decide([naira('1620', '1600', new Date())])
  expect((await read()).refused).toEqual(new Set())
})

test('an operator accepts a refused rate by its numbers, in the audit log; the next ones are compared with it', async () => {
  const { decide } = setUp()
  await decide([naira('1620', '1600')])
  await decide([naira('2400', '2380')])
  const listed = await accept()
  expect(listed).toMatchObject({ code: 0 })
  expect(listed.out).toMatch(
    /^NGN {2}accepted buy 1620, sell 1600 of \S+ {2}refused \(jump\) since \S+: buy 2400, sell 2380 of/m,
  )

  expect(await accept('accept', 'NGN', '2400', '2380', '--operator', 'Ada')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--evidence'),
  })
  expect(await accept('accept', 'KES', '2400', '2380', ...byHand)).toMatchObject({
    code: 2,
    err: expect.stringContaining('no rate of KES is refused'),
  })
  expect(await accept('accept', 'NGN', '1900', '1880', ...byHand)).toMatchObject({
    code: 2,
    err: expect.stringContaining('buy 2400, sell 2380'),
  })
  expect(await decide([naira('2410', '2390')])).toMatchObject([naira('1620', '1600')])
  expect(await accept('accept', 'NGN', '2400', '2380', ...byHand)).toMatchObject({ code: 0 })

  expect(await readStoredRates(database.db, partner)).toMatchObject([
    { accepted: { buy: '2410', anchor: { buy: '2400' } }, refused: null },
  ])
  expect(await decide([naira('2420', '2400')])).toMatchObject([naira('2420', '2400')])
  expect(await decide([naira('1620', '1600')])).toMatchObject([naira('2420', '2400')])
  expect(
    await database.db.query(
      "select target, before, after, actor_label from audit_log where action = 'rate.accepted'",
    ),
  ).toMatchObject([
    {
      target: 'yellowcard/NGN',
      before: { buy: '1620', sell: '1600' },
      after: { buy: '2400', sell: '2380', operator: 'Ada', evidence: 'central bank, notice 7' },
      actor_label: 'cowry rates',
    },
  ])
})
