import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** Banks and rates while the payout partner answers, while it does not, and without a partner. */

interface Banks {
  banks: { id: string; name: string; code: string }[]
  asOf: string | null
}
interface Origin {
  rate: string | null
  rateAt: string | null
  rateSource: string | null
}

let stack: Stack
beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
})
afterAll(() => stack?.close())

const portOf = (process: string) => stack.processes.get(process)?.port()
/** The operation is public. */
async function banks(process = 'api', query = '') {
  const answer = await fetch(`http://127.0.0.1:${portOf(process)}/api/v1/pos/sessions/banks${query}`)
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as Banks & { error?: string },
  }
}
const quote = (body: object) =>
  stack.api<Origin & { quoteId: string }>('POST', '/pos/sessions/quote', {
    chain: 'ethereum',
    token: 'USDC',
    ...body,
  })
/** Lets time pass for what is stored. */
const pass = (seconds: number) =>
  stack.db.query(
    "update partner_banks set as_of = as_of - $1 * interval '1 s', next_ask_at = next_ask_at - $1 * interval '1 s'",
    [seconds],
  )
const names = ({ banks }: Banks) => banks.map(({ name }) => name)
const usual = ['Access Bank', 'Equity Bank', 'Guaranty Trust Bank']
const timesAsked = () => stack.partner.asked.filter((path) => path === '/business/networks').length

test('a list that never came is a 503 with the time to retry', async () => {
  stack.partner.mode = 'down'
  expect(await banks()).toMatchObject({ status: 503, retryAfter: '10', body: { error: 'banks_unavailable' } })
  stack.partner.mode = 'ok'
  await pass(11)
})

/** Where the rate of a price is from. */
const originOf = ({ rate, rateAt, rateSource }: Partial<Origin>) => ({ rate, rateAt, rateSource })
const inToken = { localAmount: null, rate: null, rateAt: null, rateSource: null }

test('through an outage and a restart the last good list of banks stays, with its age, and a quote keeps when and where its rate was observed', async () => {
  const started = Date.now()
  const fresh = await waitFor('the first list', async () => {
    const answer = await banks()
    return answer.status === 200 ? answer : null
  })
  expect(names(fresh.body)).toEqual(usual)
  expect(Math.abs(Date.parse(fresh.body.asOf ?? '') - Date.now())).toBeLessThan(60_000)
  expect((await banks('api', '?countryCode=KE')).body).toEqual({
    banks: [{ id: '7ea6df5c-6bba-46b2-a7e6-f511959e7edb', name: 'Equity Bank', code: '068' }],
    asOf: fresh.body.asOf,
  })
  const quoted = await quote({ localAmount: '16100', localCurrency: 'NGN' })
  expect(quoted).toMatchObject({ status: 200, body: { rate: '1610', rateSource: 'yellowcard' } })
  const observed = Date.parse(quoted.body.rateAt ?? '')
  expect([observed >= started, observed <= Date.now()]).toEqual([true, true])
  const direct = await stack.createSession({ amount: undefined, localAmount: '16100', localCurrency: 'KES' })
  expect(direct).toMatchObject({ rate: '129.3', rateAt: quoted.body.rateAt, rateSource: 'yellowcard' })

  stack.partner.mode = 'down'
  await pass(3600)
  await stack.stop('api')
  await stack.start('api')
  expect(await banks()).toMatchObject({ status: 200, body: hoursOld(fresh.body) })
  const origin = originOf(quoted.body)
  const session = await stack.createSession({ amount: undefined, quoteId: quoted.body.quoteId })
  expect(session).toMatchObject(origin)
  expect(await stack.session(session.id)).toMatchObject(origin)
  const [listed] = (await stack.api<{ sessions: SessionBody[] }>('GET', '/pos/sessions?limit=1')).body
    .sessions
  expect(listed).toMatchObject({ id: session.id, ...origin })
  const [event] = await stack.db.query<{ data: SessionBody }>(
    "select data from events where type = 'session.created' order by sequence desc limit 1",
  )
  expect(event?.data).toMatchObject({ id: session.id, ...origin })

  expect(await quote({ localAmount: '16100' })).toMatchObject({
    status: 503,
    body: { error: 'rates_unavailable' },
  })
  expect(await quote({ amount: '5' })).toMatchObject({ status: 200, body: { amount: '5', ...inToken } })
  expect(await stack.createSession({ amount: '5' })).toMatchObject(inToken)
  stack.partner.mode = 'ok'
})

const hoursOld = ({ banks, asOf }: Banks, hours = 1) => ({
  banks,
  asOf: new Date(Date.parse(asOf ?? '') - hours * 3_600_000).toISOString(),
})
const questionHasEnded = () =>
  waitFor(
    'the end of a question',
    async () => (await stack.db.query('select 1 from partner_banks where asked_at is null')).length > 0,
  )
/** Waits for the end of a question to the partner; then its pause is over. */
async function questionEnds(): Promise<void> {
  await questionHasEnded()
  await stack.db.query('update partner_banks set next_ask_at = now()')
}

test('an answer without a bank, or one that cannot be read, does not replace the last good list', async () => {
  await questionEnds()
  const { body: before } = await banks()
  const { networks } = stack.partner
  const wrong = {
    'not JSON': () => (stack.partner.mode = 'garbage'),
    'no network': () => (stack.partner.networks = []),
    'no active network': () =>
      (stack.partner.networks = networks.map((each) => ({ ...each, status: 'inactive' }))),
    'networks without a name': () =>
      (stack.partner.networks = networks.map((each) => ({ ...each, name: undefined })) as never),
    'networks of channels that it does not have': () =>
      (stack.partner.networks = networks.map((each) => ({ ...each, channelIds: ['unknown'] }))),
  }
  await pass(3600)
  await stack.stop('api')
  for (const [what, happens] of Object.entries(wrong)) {
    const asked = timesAsked()
    happens()
    if (!stack.processes.has('api')) await stack.start('api')
    const { status, body } = await waitFor(`an answer while the partner has ${what}`, async () => {
      const answer = await banks()
      return timesAsked() > asked ? answer : null
    })
    expect([what, status, body]).toEqual([what, 200, hoursOld(before)])
    Object.assign(stack.partner, { mode: 'ok', networks })
    await questionEnds()
  }
  const after = await waitFor('a newer list', async () => {
    const { body } = await banks()
    return body.asOf === hoursOld(before).asOf ? null : body
  })
  expect(names(after)).toEqual(usual)
  expect(Math.abs(Date.parse(after.asOf ?? '') - Date.now())).toBeLessThan(60_000)
})

test('api processes with 60 requests at once query the partner once', async () => {
  await pass(61)
  await Promise.all(['api-2', 'api-3'].map((as) => stack.start('api', {}, { as })))
  const asked = timesAsked()
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => banks(['api-2', 'api-3'][at % 2])))
  // They wait two seconds for the new list; on a machine that needs longer some have the last one.
  const inTime = performance.now() - began < 2000
  await questionHasEnded()
  expect(timesAsked()).toBe(asked + 1)
  expect(
    new Set(answers.map(({ status, body }) => `${status} ${names(body)} ${inTime ? body.asOf : ''}`)).size,
  ).toBe(1)
  await Promise.all(['api-2', 'api-3'].map((name) => stack.stop(name)))
})

test('without a partner prices are in the token and in dollars, and there are no banks; what needs a rate is a 400 that names it and stores nothing', async () => {
  const line = 'no payout partner'
  expect(stack.logs()).not.toContain(line)
  await stack.stop('api')
  await stack.start('api', { YELLOWCARD_URL: '', YELLOWCARD_API_KEY: '', YELLOWCARD_SECRET_KEY: '' })
  expect(await banks()).toMatchObject({ status: 200, body: { banks: [], asOf: null } })
  expect((await banks('api', '?currency=NGN')).body).toEqual({ banks: [], asOf: null })

  const price = { ...inToken, localCurrency: null, fee: '0.1', feeCurrency: 'USDC' }
  const quoted = await quote({ amount: '10' })
  expect(quoted).toMatchObject({ status: 200, body: { amount: '10', ...price } })
  expect(await stack.createSession({ amount: undefined, quoteId: quoted.body.quoteId })).toMatchObject({
    amountExpected: '10',
    ...price,
  })

  expect(await quote({ localAmount: '16.1', localCurrency: 'USD' })).toMatchObject({
    status: 200,
    body: { rate: '1', rateSource: 'parity', localAmount: '16.1' },
  })
  const stored = () =>
    stack.db.query(
      'select (select count(*) from pos_sessions) as sessions, count(taken_at) as addresses from deposit_addresses',
    )
  const before = await stored()
  const refused: [object, string[]][] = [
    [{ localAmount: '16100' }, ['localCurrency']],
    [{ localAmount: '16100', localCurrency: 'NGN' }, ['localCurrency']],
    [{ amount: '10', localCurrency: 'NGN' }, ['localCurrency']],
    [{ amount: '10', localAmount: '16100' }, ['amount', 'localAmount']],
    [{}, ['amount', 'localAmount']],
    [{ localCurrency: 'NGN' }, ['amount', 'localAmount']],
  ]
  for (const [body, fields] of refused) {
    for (const path of ['/pos/sessions/quote', '/pos/sessions']) {
      const answer = await stack.api<{ fields?: { field: string }[] }>('POST', path, {
        chain: 'ethereum',
        token: 'USDC',
        ...body,
      })
      expect([path, body, answer.status, answer.body.fields?.map(({ field }) => field)]).toEqual([
        path,
        body,
        400,
        fields,
      ])
    }
  }
  expect(await stored()).toEqual(before)
  await stack.createSession({ amount: '5' })
  expect(stack.logs().split(line).length - 1).toBe(1)
})

test('one half of the credentials is a mistake in the configuration, which names the other', async () => {
  const half = stack.launch('api', { YELLOWCARD_SECRET_KEY: '' }, { as: 'half' })
  await expect(half.ready()).rejects.toThrow('YELLOWCARD_SECRET_KEY is not set, but YELLOWCARD_API_KEY is')
  expect(half.exitCode()).toBe(2)
  await stack.stop('half')
})
