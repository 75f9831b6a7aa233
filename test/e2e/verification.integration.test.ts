import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { generateApiKey, generateKey } from '../../src/apiKeys/form.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { setApproval } from '../../src/businesses/operateBusinesses.ts'
import { newId } from '../../src/platform/ids.ts'
import { endVerification } from '../../src/verification/endVerification.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { addCredit, makeVerificationKey, setPrice } from '../support/madeVerifications.ts'
import { type ApiAnswer, createStack, type Stack } from '../support/stack.ts'
import {
  type VerificationBody as Body,
  creditOf,
  type RequestVerification,
  requestVerification,
  verificationUrl,
} from '../support/verificationHost.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack
let ask: RequestVerification
let secret: string
let publishable: string
let other: { businessId: string; key: string }
const price = 250_000n
const openNumber = 'TEST-OTHER'

beforeAll(async () => {
  stack = await createStack({ processes: ['verification'] })
  ask = requestVerification(stack)
  await setPrice(stack.db, 'NG', 'passport', price)
  await addCredit(stack.db, stack.businessId, 100n * price)
  secret = await keyOf(stack.businessId)
  publishable = await keyOf(stack.businessId, 'publishable')
  const businessId = await addBusiness(stack, await addPerson(stack))
  other = { businessId, key: await keyOf(businessId) }
})
afterAll(() => stack?.close())

const keyOf = async (
  businessId: string,
  kind: 'secret' | 'publishable' = 'secret',
  environment: 'test' | 'live' = 'test',
): Promise<string> => (await makeVerificationKey(stack.db, businessId, kind, environment)).secret.reveal()

const wanted = (more: object = {}) => ({
  requestId: `r-${newId()}`,
  country: 'NG',
  idType: 'passport',
  // Its check stays open.
  idNumber: openNumber,
  firstName: 'Adaeze',
  lastName: 'Canary-Okafor',
  dob: '1990-12-31',
  ...more,
})
const verify = (body: object = wanted(), key = secret) => ask('POST', '/verify', key, body)

const accounts = (businessId = stack.businessId) => creditOf(stack, businessId)

const end = (id: string, outcome: Parameters<typeof endVerification>[2]) =>
  stack.db.tx((tx) => endVerification(tx, id, outcome))

test('health is public', async () => {
  const answer = await ask('GET', '/health', null)
  expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
})

describe('every row of "Error bodies"', () => {
  const rows: [string, number, () => Promise<ApiAnswer<Body>>][] = [
    ['Missing or invalid Authorization header', 401, () => ask('POST', '/verify', null, wanted())],
    [
      'Missing or invalid Authorization header',
      401,
      () => ask('POST', '/verify', null, wanted(), { authorization: `Basic ${secret}` }),
    ],
    [
      'Missing or invalid Authorization header',
      401,
      () => ask('POST', '/verify', null, wanted(), { 'x-api-key': stack.apiKey }),
    ],
    ['Invalid API key', 401, () => verify(wanted(), generateKey('sk', 'test').reveal())],
    [
      'Invalid API key',
      401,
      () => verify(wanted(), `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`),
    ],
    ['Invalid API key', 401, () => verify(wanted(), stack.apiKey)],
    ['Invalid API key', 401, () => verify(wanted(), generateApiKey('test').reveal())],
    ['Invalid API key', 401, () => verify(wanted(), 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln')],
    ['Invalid API key', 401, async () => verify(wanted(), await revoked())],
    ['Invalid request body', 400, () => verify({ ...wanted(), country: 'Nigeria' })],
    ['Forbidden', 403, forbidden],
    ['business_suspended', 403, suspended],
    ['secret_key_required', 403, async () => ask('GET', `/result/${(await verify()).body.id}`, publishable)],
    ['secret_key_required', 403, async () => ask('DELETE', `/verifications/${newId()}`, publishable)],
    [
      'environment_mismatch',
      403,
      async () => verify(wanted(), await keyOf(stack.businessId, 'secret', 'live')),
    ],
    ['Verification not found', 404, () => ask('GET', `/status/${newId()}`, secret)],
    ['Verification not found', 404, () => ask('GET', '/status/nothing', publishable)],
    ['Verification not found', 404, async () => ask('GET', `/status/${(await verify()).body.id}`, other.key)],
    ['Verification not found', 404, async () => ask('GET', `/result/${(await verify()).body.id}`, other.key)],
    [
      'Verification not found',
      404,
      async () => ask('DELETE', `/verifications/${(await verify()).body.id}`, other.key),
    ],
    ['pricing_not_configured', 500, () => verify(wanted({ country: 'KE' }))],
    ['insufficient_credit', 402, () => verify(wanted(), other.key)],
  ]
  test.each(rows)('%s: %d', async (error, status, send) => {
    const answer = await send()
    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'))
    expect(JSON.stringify(answer.body)).not.toContain('Canary')
  })

  async function revoked(): Promise<string> {
    const { key, secret: text } = await makeVerificationKey(stack.db, stack.businessId)
    await stack.db.query('update verification_keys set revoked_at = now() where id = $1', [key.id])
    return text.reveal()
  }

  async function forbidden() {
    const body = wanted()
    expect((await verify(body)).status).toBe(202)
    return verify(body, other.key)
  }

  async function suspended() {
    const businessId = await addBusiness(stack, await addPerson(stack))
    await setApproval(stack, systemActor('test'), businessId, 'suspended', null)
    return verify(wanted(), await keyOf(businessId))
  }

  test('a wrong field is named in `message`', async () => {
    const wrong = { ...wanted(), country: 'ZZ', dob: '1990-02-31' }
    expect((await verify(wrong)).body).toMatchObject({
      error: 'Invalid request body',
      message: expect.stringMatching(/country.*dob/),
    })
    expect((await verify({ ...wanted(), dob: '2990-01-01' })).body.message).toContain('dob')
  })

  test('a price that is missing is no failure of the host: its log has no error', async () => {
    expect((await verify(wanted({ idType: 'invented' }))).status).toBe(500)
    await waitFor('the log', async () => stack.logs().includes('There is no price for invented in NG'))
    expect(stack.logs()).not.toContain('request failed')
  })

  test('402 reports that nothing is kept', async () => {
    const body = wanted()
    expect((await verify(body, other.key)).body).toMatchObject({
      error: 'insufficient_credit',
      pending: false,
    })
    expect(
      await stack.db.query('select 1 from verifications where request_id = $1', [body.requestId]),
    ).toEqual([])
  })
})

describe('a publishable key in a browser', () => {
  const site = 'https://shop.example'
  const preflight = (origin: string) =>
    fetch(`${verificationUrl(stack)}/verify`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })

  test('works on the web sites that it names, and on no other', async () => {
    const key = (
      await makeVerificationKey(stack.db, stack.businessId, 'publishable', 'test', [site])
    ).secret.reveal()
    const allowed = await preflight(site)
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, site])
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Authorization')
    const made = await ask('POST', '/verify', key, wanted(), { origin: site })
    expect([made.status, made.headers.get('access-control-allow-origin'), made.headers.get('vary')]).toEqual([
      202,
      site,
      'Origin',
    ])
    const wrong = await ask('POST', '/verify', key, { ...wanted(), country: 'x' }, { origin: site })
    expect([wrong.status, wrong.headers.get('access-control-allow-origin')]).toEqual([400, site])
    const elsewhere = await ask('POST', '/verify', key, wanted(), { origin: 'https://evil.example' })
    expect([elsewhere.status, elsewhere.body.error]).toEqual([403, 'origin_not_allowed'])
    expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull()
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await ask('POST', '/verify', publishable, wanted(), { origin: site })).body.error).toBe(
      'origin_not_allowed',
    )
    expect((await ask('POST', '/verify', key, wanted())).status).toBe(202)
    await stack.db.query("update verification_keys set revoked_at = now() where origins <> '{}'")
    expect((await preflight(site)).headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the visitors of a web site, who all have its publishable key', () => {
  test('are not recorded by their addresses', async () => {
    const { key, secret: text } = await makeVerificationKey(stack.db, stack.businessId, 'publishable')
    const { id } = (await verify(wanted(), text.reveal())).body
    const { id: bySecret } = (await verify()).body
    const audited = await stack.db.query(
      'select target, address is null as "isUnknown" from audit_log where target = any($1)',
      [[id, bySecret]],
    )
    expect(audited).toEqual(
      expect.arrayContaining([
        { target: id, isUnknown: true },
        { target: bySecret, isUnknown: false },
      ]),
    )
    const used = () =>
      stack.db.query<{ address: string | null }>(
        'select last_used_address as address from verification_keys where id = $1 and last_used_at is not null',
        [key.id],
      )
    await waitFor('the use of the key', async () => (await used()).length === 1)
    expect(await used()).toEqual([{ address: null }])
  })

  test('cannot guess who was verified under a requestId that they know', async () => {
    const body = wanted()
    expect((await verify(body)).status).toBe(202)
    const guess = (n: number) => verify({ ...body, idNumber: `G${n}` }, publishable)
    for (let n = 0; n < 10; n++) expect((await guess(n)).body.error).toBe('idempotency_key_reused')
    expect((await guess(10)).status).toBe(429)
    expect((await verify(body, publishable)).status).toBe(429)
    expect((await verify(body)).status).toBe(202)
  })

  test('use half of the limit, and leave the rest to servers', async () => {
    const limited = await stack.start(
      'verification',
      { RATE_LIMIT_BUSINESS: '8', RATE_LIMIT_ADDRESS: '3' },
      { as: 'limited' },
    )
    const businessId = await addBusiness(stack, await addPerson(stack))
    const keys = [await keyOf(businessId, 'publishable'), await keyOf(businessId, 'publishable')]
    const status = async (key: string) => {
      const at = { authorization: `Bearer ${key}` }
      const answer = await fetch(`http://127.0.0.1:${limited.verifyPort()}/api/kyc/status/${newId()}`, {
        headers: at,
      })
      return [answer.status, /^"(\w+)"/.exec(answer.headers.get('ratelimit') ?? '')?.[1]]
    }
    const [one = '', two = ''] = keys
    for (let n = 0; n < 3; n++) expect((await status(one))[0]).toBe(404)
    expect(await status(one)).toEqual([429, 'visitor'])
    expect((await status(two))[0]).toBe(404)
    expect(await status(two)).toEqual([429, 'publishable'])
    const server = await keyOf(businessId)
    for (let n = 0; n < 4; n++) expect((await status(server))[0]).toBe(404)
  })
})

describe('the sandbox', () => {
  test.each([
    ['A01234567', 'completed', undefined],
    ['TEST-SLOW', 'completed', undefined],
    ['TEST-TWICE', 'completed', undefined],
    ['TEST-EXPIRED', 'failed', 'document_expired'],
    ['TEST-SELFIE', 'failed', 'selfie_mismatch'],
    ['TEST-NOT-FOUND', 'not_found', 'identity_not_found'],
    ['TEST-ERROR', 'error', 'provider_unavailable'],
  ])('%s is %s', async (idNumber, status, reasonCode) => {
    const { id, requestId } = (await verify(wanted({ idNumber }))).body
    await waitFor('its end', async () => (await ask('GET', `/status/${id}`, secret)).body.status === status)
    expect((await ask('GET', `/status/${id}`, publishable)).body.reasonCode).toBe(reasonCode)
    const events = await stack.db.query<{ type: string; data: object }>(
      "select type, data from events where data->>'id' = $1",
      [id],
    )
    expect(events).toEqual([
      {
        type: `verification.${status}`,
        data: { id, requestId, status, reasonCode: reasonCode ?? null, price: '0.25' },
      },
    ])
  })

  test('an answer for another id, or no answer, ends nothing; after a day it is an error, and costs nothing', async () => {
    const before = await accounts()
    const answers = await Promise.all(
      ['TEST-OTHER', 'TEST-SILENT'].map((idNumber) => verify(wanted({ idNumber }))),
    )
    const ids = answers.map(({ body }) => body.id)
    const claimed = () =>
      stack.db.query('select 1 from verifications where id = any($1) and attempts > 0', [ids])
    await waitFor('both claimed', async () => (await claimed()).length === 2)
    for (const id of ids) expect((await ask('GET', `/status/${id}`, secret)).body.status).toBe('processing')
    await stack.db.query(
      "update verifications set queued_at = now() - interval '25 hours', next_attempt_at = now() where id = any($1)",
      [ids],
    )
    for (const id of ids)
      await waitFor(
        'its end',
        async () => (await ask('GET', `/status/${id}`, secret)).body.status === 'error',
      )
    expect(await accounts()).toEqual(before)
  })
})

describe('a verification', () => {
  test('is queued with 202, and holds its price', async () => {
    const before = await accounts()
    const body = wanted()
    const answer = await verify(body, publishable)
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({
      id: expect.any(String),
      requestId: body.requestId,
      status: 'queued',
      statusUrl: expect.stringMatching(
        new RegExp(`^http://localhost:3100/api/kyc/status/${answer.body.id}$`),
      ),
      createdAt: expect.any(String),
    })
    const after = await accounts()
    expect(after.credit).toBe((before.credit ?? 0n) - price)
    expect(after.credit_held).toBe((before.credit_held ?? 0n) + price)
    const status = await ask('GET', `/status/${answer.body.id}`, publishable)
    expect(status.body).toMatchObject({
      status: expect.stringMatching(/queued|processing/),
      price: '0.25',
      completedAt: null,
      erasedAt: null,
    })
  })

  test('is the same for the same requestId, 50 times at once: one row, one hold', async () => {
    const before = await accounts()
    const body = wanted()
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(body)))
    expect(new Set(answers.map(({ status, body: { id } }) => `${status} ${id}`)).size).toBe(1)
    expect((await accounts()).credit).toBe((before.credit ?? 0n) - price)
    const changed = await verify({ ...body, idNumber: 'B1' })
    expect([changed.status, changed.body.error]).toEqual([422, 'idempotency_key_reused'])
  })

  test('never takes more credit than there is: of 10 at once, 3 are paid for', async () => {
    await addCredit(stack.db, other.businessId, 3n * price + 1n)
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(wanted(), other.key)))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, ...Array(7).fill(402)])
    expect(await accounts(other.businessId)).toEqual({ credit: 1n, credit_held: 3n * price })
  })

  test('is charged once at its end, with one event, and keeps its price', async () => {
    const { id } = (await verify()).body
    const before = await accounts()
    await setPrice(stack.db, 'NG', 'passport', 2n * price)
    const outcome = { status: 'failed', reasonCode: 'document_expired' } as const
    expect(
      await Promise.all([end(id, outcome), end(id, { status: 'completed' }), end(id, outcome)]),
    ).toContain(true)
    expect(await end(id, { status: 'completed' })).toBe(false)
    await setPrice(stack.db, 'NG', 'passport', price)
    const after = await accounts()
    expect(after).toEqual({ credit: before.credit, credit_held: (before.credit_held ?? 0n) - price })
    const events = await stack.db.query<{ data: object }>(
      "select data from events where type like 'verification.%' and data->>'id' = $1",
      [id],
    )
    expect(events).toHaveLength(1)
    expect(JSON.stringify(events)).not.toMatch(/Canary|TEST-OTHER/)
  })

  test('that could not be made gives its price back', async () => {
    const before = await accounts()
    const { id } = (await verify()).body
    await end(id, { status: 'error', reasonCode: 'provider_unavailable' })
    expect(await accounts()).toEqual(before)
    expect((await ask('GET', `/status/${id}`, secret)).body).toMatchObject({
      status: 'error',
      reasonCode: 'provider_unavailable',
      reason: 'The check could not be made',
    })
  })

  test('shows the person to a secret key, until it is erased', async () => {
    const body = wanted({ metadata: { order: 7 } })
    const { id } = (await verify(body)).body
    const { requestId: _, country: _c, idType: _t, ...person } = body as Record<string, unknown>
    const shown = await ask('GET', `/result/${id}`, secret)
    expect([shown.body.person, shown.headers.get('cache-control')]).toEqual([person, 'no-store'])
    expect((await ask('DELETE', `/verifications/${id}`, secret)).body.error).toBe('verification_not_ended')
    await end(id, { status: 'completed' })
    const erased = await ask('DELETE', `/verifications/${id}`, secret)
    expect([erased.status, erased.body.erasedAt]).toEqual([200, expect.any(String)])
    expect((await ask('DELETE', `/verifications/${id}`, secret)).body).toEqual(erased.body)
    expect((await ask('GET', `/result/${id}`, secret)).body).toMatchObject({
      id,
      status: 'completed',
      price: '0.25',
      person: null,
    })
    expect(
      await stack.db.query('select 1 from verification_fields where verification_id = $1', [id]),
    ).toEqual([])
    expect((await verify(body)).body.id).toBe(id)
  })
})

test('on mainnets: 403 business_not_approved, and 429 past the limit', async () => {
  const live = await stack.start(
    'verification',
    { ENVIRONMENT: 'live', RATE_LIMIT_BUSINESS: '2' },
    { as: 'live' },
  )
  const businessId = await addBusiness(stack, await addPerson(stack))
  const key = await keyOf(businessId, 'secret', 'live')
  const at = { authorization: `Bearer ${key}` }
  const status = async () =>
    fetch(`http://127.0.0.1:${live.verifyPort()}/api/kyc/status/${newId()}`, { headers: at })
  const refused = await status()
  expect([refused.status, ((await refused.json()) as Body).error]).toEqual([403, 'business_not_approved'])
  await setApproval(stack, systemActor('test'), businessId, 'approved', null)
  expect((await status()).status).toBe(404)
  const limited = await status()
  expect([limited.status, ((await limited.json()) as Body).error]).toEqual([
    429,
    'Too many requests, please try again later.',
  ])
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('no personal data is in a column, a log or an audit row in plain', async () => {
  const { id } = (await verify()).body
  const rows = await stack.db.query<{ text: string }>(
    `select v::text as text from verifications v where id = $1 union all select f::text from verification_fields f where verification_id = $1
     union all select a::text from audit_log a where target = $1::text`,
    [id],
  )
  expect(rows.length).toBeGreaterThan(4)
  for (const text of [...rows.map((row) => row.text), stack.logs()]) {
    expect(text).not.toMatch(/Canary|TEST-OTHER|Adaeze/)
    expect(text).not.toContain(Buffer.from('Canary').toString('hex'))
  }
})
