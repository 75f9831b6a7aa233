import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '../../src/platform/ids.ts'
import { eraseOld } from '../../src/verification/keepUp.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { addCredit, makeVerificationKey, setPrice, setProductPrice } from '../support/madeVerifications.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { creditOf, type RequestVerification, requestVerification } from '../support/verificationHost.ts'
import { waitFor } from '../support/waitFor.ts'

// Decisions, risk assessments, lists and exports of the verification host.

let stack: Stack
let ask: RequestVerification
let secret: string
let publishable: string
let other: { businessId: string; key: string }
const price = 250_000n

const keyOf = async (businessId: string, kind: 'secret' | 'publishable' = 'secret') =>
  (await makeVerificationKey(stack.db, businessId, kind)).secret.reveal()

async function newBusiness(credit = 0n): Promise<{ businessId: string; key: string }> {
  const businessId = await addBusiness(stack, await addPerson(stack))
  if (credit > 0n) await addCredit(stack.db, businessId, credit)
  return { businessId, key: await keyOf(businessId) }
}

beforeAll(async () => {
  stack = await createStack({ processes: ['verification'] })
  ask = requestVerification(stack)
  await setPrice(stack.db, 'NG', 'passport', price)
  await setPrice(stack.db, 'KE', 'national_id', price)
  await setProductPrice(stack.db, 'assessment', price)
  await addCredit(stack.db, stack.businessId, 100n * price)
  secret = await keyOf(stack.businessId)
  publishable = await keyOf(stack.businessId, 'publishable')
  other = await newBusiness(10n * price)
})
afterAll(() => stack?.close())

const wantedDecision = (more: object = {}) => ({
  requestId: `d-${newId()}`,
  type: 'transaction',
  subject: 'customer-canary',
  ...more,
})
const wantedAssessment = (more: object = {}) => ({
  requestId: `a-${newId()}`,
  firstName: 'Adaeze',
  lastName: 'Canary-Okafor',
  ...more,
})
const decide = (body: object = wantedDecision(), key = secret) => ask('POST', '/decisions', key, body)
const assess = (body: object = wantedAssessment(), key = secret) =>
  ask('POST', '/risk-assessments', key, body)
const statusIs = (path: string, key: string, status: string) =>
  waitFor(status, async () => (await ask('GET', path, key)).body.status === status)

describe('a decision', () => {
  test('has no price before the operator sets one', async () => {
    expect((await decide()).body.error).toBe('pricing_not_configured')
    await setProductPrice(stack.db, 'decision', price)
  })

  test.each([
    ['customer-1', 'allow'],
    ['TEST-REVIEW', 'review'],
    ['TEST-DENY', 'deny'],
    ['TEST-SLOW', 'allow'],
  ])('about %s is %s, charged once', async (subject, decision) => {
    const before = await creditOf(stack)
    const body = wantedDecision({ subject, amount: '125.50', currency: 'USDC' })
    const answer = await decide(body)
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ decision, status: 'completed', price: '0.25' }),
    ])
    expect(await decide(body)).toMatchObject({ status: 200, body: { id: answer.body.id, decision } })
    expect(await creditOf(stack)).toEqual({
      credit: (before.credit ?? 0n) - price,
      credit_held: before.credit_held ?? 0n,
    })
    expect((await ask('GET', `/decisions/${answer.body.id}`, secret)).body).toEqual(answer.body)
    expect(await stack.db.query("select 1 from events where data->>'id' = $1", [answer.body.id])).toEqual([])
  })

  test('without credit is not made: 402, and nothing is stored', async () => {
    const { businessId, key } = await newBusiness(price - 1n)
    const body = wantedDecision()
    const answer = await decide(body, key)
    expect([answer.status, answer.body]).toEqual([
      402,
      expect.objectContaining({ error: 'insufficient_credit', pending: false }),
    ])
    expect(answer.body).not.toHaveProperty('decision')
    expect(
      await stack.db.query('select 1 from verifications where request_id = $1', [body.requestId]),
    ).toEqual([])
    expect((await creditOf(stack, businessId)).credit).toBe(price - 1n)
  })

  test('without an answer in time is null, and its price stays held', async () => {
    const answer = await decide(wantedDecision({ subject: 'TEST-OTHER' }))
    expect([answer.status, answer.body]).toEqual([
      202,
      expect.objectContaining({ decision: null, completedAt: null }),
    ])
    await stack.db.query(
      "update verifications set queued_at = now() - interval '25 hours', next_attempt_at = now() where id = $1",
      [answer.body.id],
    )
    await statusIs(`/decisions/${answer.body.id}`, secret, 'error')
    expect((await ask('GET', `/decisions/${answer.body.id}`, secret)).body).toMatchObject({
      decision: null,
      reasonCode: 'provider_unavailable',
    })
  })

  test('that could not be made costs nothing', async () => {
    const before = await creditOf(stack)
    expect((await decide(wantedDecision({ subject: 'TEST-ERROR' }))).body).toMatchObject({
      status: 'error',
      decision: null,
    })
    expect(await creditOf(stack)).toEqual(before)
  })
})

describe('a risk assessment', () => {
  test.each([
    ['A1', 'low'],
    ['TEST-MEDIUM', 'medium'],
    ['TEST-HIGH', 'high'],
  ])('of %s is %s', async (idNumber, riskLevel) => {
    const { status, body } = await assess(wantedAssessment({ idNumber }))
    expect([status, body.statusUrl]).toEqual([
      202,
      expect.stringContaining(`/api/kyc/risk-assessments/${body.id}`),
    ])
    await statusIs(`/risk-assessments/${body.id}`, secret, 'completed')
    expect((await ask('GET', `/risk-assessments/${body.id}`, secret)).body).toMatchObject({ riskLevel })
  })

  test('without credit waits as the same resource, keeps its price, and goes on once when funded, the oldest first', async () => {
    const { businessId, key } = await newBusiness()
    const bodies = [wantedAssessment(), wantedAssessment(), wantedAssessment()]
    const answers = []
    for (const body of bodies) answers.push(await assess(body, key))
    const [first, second, third] = answers.map(({ body }) => String(body.statusUrl).split('/').at(-1))
    for (const { status, body } of answers)
      expect([status, body.error, body.pending]).toEqual([402, 'insufficient_credit', true])
    expect((await assess(bodies[0], key)).body.statusUrl).toBe(answers[0]?.body.statusUrl)
    expect((await ask('GET', `/risk-assessments/${first}`, key)).body).toMatchObject({
      status: 'pending_credit',
      riskLevel: null,
    })

    await setProductPrice(stack.db, 'assessment', 2n * price)
    await addCredit(stack.db, businessId, 2n * price + 1n)
    for (const id of [first, second]) await statusIs(`/risk-assessments/${id}`, key, 'completed')
    await setProductPrice(stack.db, 'assessment', price)
    expect((await ask('GET', `/risk-assessments/${third}`, key)).body.status).toBe('pending_credit')
    expect(await creditOf(stack, businessId)).toEqual({ credit: 1n, credit_held: 0n })
    expect((await assess(bodies[0], key)).status).toBe(202)
    const entries = await stack.db.query<{ kind: string }>(
      'select kind from ledger_entries where reference = $1 order by step',
      [first],
    )
    expect(entries.map(({ kind }) => kind)).toEqual(['verification.held', 'verification.taken'])
  })

  test('waits for a day of its own after it was funded', async () => {
    const { businessId, key } = await newBusiness()
    const answer = await assess(wantedAssessment(), key)
    const id = String(answer.body.statusUrl).split('/').at(-1)
    await stack.db.query(
      "update verifications set created_at = now() - interval '9 days', queued_at = now() - interval '9 days' where id = $1",
      [id],
    )
    await addCredit(stack.db, businessId, price)
    await statusIs(`/risk-assessments/${id}`, key, 'completed')
  })
})

describe('kinds of requests', () => {
  test('share their requestIds: one of another kind is 422, of another organisation 403', async () => {
    const body = wantedAssessment()
    const { id } = (await assess(body)).body
    const decision = wantedDecision({ requestId: body.requestId })
    expect((await decide(decision)).body.error).toBe('idempotency_key_reused')
    expect((await decide(decision, other.key)).body.error).toBe('Forbidden')
    await statusIs(`/risk-assessments/${id}`, secret, 'completed')
    expect((await ask('DELETE', `/verifications/${id}`, secret)).status).toBe(200)
    expect((await assess(body)).body.id).toBe(id)
    expect((await decide(decision)).body.error).toBe('idempotency_key_reused')
  })

  test('are read only as what they are, by their own business, with a secret key', async () => {
    const { id } = (await decide()).body
    const paths = [`/risk-assessments/${id}`, `/status/${id}`, `/result/${id}`]
    for (const path of paths) expect((await ask('GET', path, secret)).status).toBe(404)
    for (const path of [`/decisions/${id}`, `/export/${id}`]) {
      expect((await ask('GET', path, other.key)).status).toBe(404)
      expect((await ask('GET', path, publishable)).body.error).toBe('secret_key_required')
    }
    for (const path of ['/decisions', '/risk-assessments'])
      expect(
        (await ask('POST', path, publishable, path === '/decisions' ? wantedDecision() : wantedAssessment()))
          .body.error,
      ).toBe('secret_key_required')
    expect((await ask('GET', '/verifications', publishable)).body.error).toBe('secret_key_required')
  })
})

describe('the list', () => {
  test('has the verifications of the business alone, by filters and pages', async () => {
    const { key } = await newBusiness(100n * price)
    const ids: string[] = []
    for (const [country, idType] of [
      ['NG', 'passport'],
      ['KE', 'national_id'],
      ['NG', 'passport'],
    ] as const) {
      const body = {
        requestId: `l-${newId()}`,
        country,
        idType,
        idNumber: ids.length === 1 ? 'TEST-EXPIRED' : 'A1',
      }
      ids.push((await ask('POST', '/verify', key, body)).body.id)
    }
    await decide(wantedDecision(), key)
    for (const [index, id] of ids.entries())
      await statusIs(`/status/${id}`, key, index === 1 ? 'failed' : 'completed')
    const list = async (query: string) =>
      (await ask('GET', `/verifications${query}`, key)).body as unknown as {
        verifications: { id: string }[]
        total: number
        nextCursor: string | null
      }
    const idsOf = async (query: string) => (await list(query)).verifications.map(({ id }) => id)
    expect(await idsOf('')).toEqual(ids.toReversed())
    expect(await idsOf('?sort=ASC')).toEqual(ids)
    expect(await idsOf('?status=failed')).toEqual([ids[1]])
    expect(await idsOf('?country=NG&idType=passport')).toEqual([ids[2], ids[0]])
    const first = await list('?limit=2')
    expect([first.total, first.verifications.length]).toEqual([3, 2])
    expect(await idsOf(`?limit=2&cursor=${first.nextCursor}`)).toEqual([ids[0]])
    expect(await idsOf('?page=2&limit=2')).toEqual([ids[0]])
    expect((await ask('GET', '/verifications?cursor=nothing', key)).status).toBe(400)
    expect(JSON.stringify(await list(''))).not.toContain('idNumber')
  })
})

describe('the data of a request', () => {
  test('are exported as a whole, with charges, until they are erased', async () => {
    const body = wantedAssessment({ dob: '1990-12-31', country: 'NG' })
    const { id } = (await assess(body)).body
    await statusIs(`/risk-assessments/${id}`, secret, 'completed')
    const { requestId, ...person } = body
    const exported = (await ask('GET', `/export/${id}`, secret)).body
    expect(exported).toMatchObject({ kind: 'assessment', id, requestId, answer: 'low', person, media: [] })
    expect(exported.charges).toEqual([
      { kind: 'held', amount: '0.25', at: expect.any(String) },
      { kind: 'taken', amount: '0.25', at: expect.any(String) },
    ])
    expect((await ask('DELETE', `/verifications/${id}`, secret)).body).toMatchObject({
      id,
      status: 'completed',
      erasedAt: expect.any(String),
    })
    expect((await ask('GET', `/export/${id}`, secret)).body).toMatchObject({ answer: 'low', person: null })
    expect(
      await stack.db.query('select 1 from verification_fields where verification_id = $1', [id]),
    ).toEqual([])
  })

  test('are erased after their time', async () => {
    const { id } = (await decide()).body
    const { id: kept } = (await decide()).body
    await stack.db.query("update verifications set completed_at = now() - interval '31 days' where id = $1", [
      id,
    ])
    const ctx = { db: stack.db, log: { warn() {} } as never, uploads: null, retentionDays: 30 }
    expect(await eraseOld(ctx)).toBe(true)
    expect(await eraseOld(ctx)).toBe(false)
    expect((await ask('GET', `/export/${id}`, secret)).body).toMatchObject({
      person: null,
      answer: 'allow',
      erasedAt: expect.any(String),
    })
    expect((await ask('GET', `/export/${kept}`, secret)).body.erasedAt).toBeNull()
  })

  test('are in no column, log or audit row in plain', async () => {
    await decide()
    const rows = await stack.db.query<{ text: string }>(
      'select v::text as text from verifications v union all select f::text from verification_fields f union all select a::text from audit_log a',
    )
    for (const text of [...rows.map((row) => row.text), stack.logs()]) expect(text).not.toMatch(/canary/i)
  })
})
