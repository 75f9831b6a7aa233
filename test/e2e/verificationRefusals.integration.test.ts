import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Operation } from '../../api/contract.ts'
import { generateApiKey, generateKey } from '../../src/apiKeys/form.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { setApproval } from '../../src/businesses/operateBusinesses.ts'
import { newId } from '../../src/platform/ids.ts'
import type { KeyKind } from '../../src/verification/model.ts'
import { contentsOf, expectNoChange } from '../support/credentialMatrix.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { addCredit, makeVerificationKey, setPrice, setProductPrice } from '../support/madeVerifications.ts'
import { png } from '../support/sampleFiles.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { verificationUrl } from '../support/verificationHost.ts'
import {
  bodyOf,
  guardedOperations,
  noRecords,
  sendSample,
  uploadForm,
  type VerificationAnswer,
  type VerificationRecords,
} from '../support/verificationSamples.ts'
import { waitFor } from '../support/waitFor.ts'

// Every operation of the verification host, and who it refuses; every row of the specification's "Status
// codes" and "Error bodies".

let stack: Stack
let ours: VerificationRecords
let secret: string
let publishable: string
const folder = mkdtempSync(join(tmpdir(), 'cowry-refusals-'))
const maxBytes = 26_214_400

beforeAll(async () => {
  stack = await createStack({ processes: ['verification'], env: { VERIFY_UPLOADS: folder } })
  await setPrice(stack.db, 'NG', 'passport', 1n)
  await setProductPrice(stack.db, 'assessment', 1n)
  await setProductPrice(stack.db, 'decision', 1n)
  await addCredit(stack.db, stack.businessId, 1000n)
  secret = await keyOf(stack.businessId)
  publishable = await keyOf(stack.businessId, 'publishable')
  ours = await makeRecords()
})
afterAll(async () => {
  await stack?.close()
  rmSync(folder, { recursive: true })
})

const keyOf = async (
  businessId: string,
  kind: KeyKind = 'secret',
  environment: 'test' | 'live' = 'test',
): Promise<string> => (await makeVerificationKey(stack.db, businessId, kind, environment)).secret.reveal()
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const newBusiness = async () => addBusiness(stack, await addPerson(stack))

async function send(
  method: string,
  path: string,
  key: string | null,
  body?: object,
  process = 'verification',
): Promise<VerificationAnswer> {
  const isForm = body instanceof FormData
  const response = await fetch(`${verificationUrl(stack, process)}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : bearer(key)),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}

/** A verification, an assessment and a decision that have ended: nothing of them changes by itself. */
async function makeRecords(): Promise<VerificationRecords> {
  const media = String((await send('POST', '/uploads', secret, uploadForm())).body.id)
  const made = async (path: string, operationId: string, more: object = {}) =>
    String((await send('POST', path, secret, { ...bodyOf(operationId), ...more })).body.id)
  const records = {
    media,
    verification: await made('/verify', 'createVerification', { documents: [media] }),
    assessment: await made('/risk-assessments', 'createRiskAssessment'),
    decision: await made('/decisions', 'createDecision'),
  }
  await waitFor('their ends', async () => {
    const open = await stack.db.query('select 1 from verifications where completed_at is null')
    return open.length === 0
  })
  return records
}

type Refusal = readonly [status: number, error: string]
const noCredential = [401, 'Missing or invalid Authorization header'] as const
const invalidKey = [401, 'Invalid API key'] as const
const secretOnly = (operation: Operation): Refusal | null =>
  operation['x-secret-key'] ? [403, 'secret_key_required'] : null

const rows: [
  who: string,
  headers: () => Promise<Record<string, string>>,
  refusal: (operation: Operation) => Refusal | null,
][] = [
  ['no credential', async () => ({}), () => noCredential],
  ['another scheme', async () => ({ authorization: `Basic ${secret}` }), () => noCredential],
  ['a key in the header of the other API', async () => ({ 'x-api-key': secret }), () => noCredential],
  ['a text that is no key', async () => bearer('x'), () => invalidKey],
  ['a key of the other API', async () => bearer(stack.apiKey), () => invalidKey],
  ['an unknown key of the other API', async () => bearer(generateApiKey('test').reveal()), () => invalidKey],
  ['an access token', async () => bearer('eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln'), () => invalidKey],
  ['a key that was never issued', async () => bearer(generateKey('sk', 'test').reveal()), () => invalidKey],
  ['a revoked key', () => endedKey('revoked_at = now()'), () => invalidKey],
  ['an expired key', () => endedKey("expires_at = now() - interval '1 second'"), () => invalidKey],
  [
    'a key of production',
    async () => bearer(await keyOf(stack.businessId, 'secret', 'live')),
    () => [403, 'environment_mismatch'],
  ],
  [
    'a publishable key of production',
    async () => bearer(await keyOf(stack.businessId, 'publishable', 'live')),
    () => [403, 'environment_mismatch'],
  ],
  [
    'a key of a suspended business',
    async () => bearer(await suspendedKey()),
    () => [403, 'business_suspended'],
  ],
  ['a publishable key', async () => bearer(publishable), secretOnly],
]

async function endedKey(change: string): Promise<Record<string, string>> {
  const { key, secret: text } = await makeVerificationKey(stack.db, stack.businessId)
  await stack.db.query(`update verification_keys set ${change} where id = $1`, [key.id])
  return bearer(text.reveal())
}

async function suspendedKey(): Promise<string> {
  const businessId = await newBusiness()
  await setApproval(stack, systemActor('test'), businessId, 'suspended', null)
  return keyOf(businessId)
}

/** What each operation answers, in short. */
const brief = (operation: Operation, { status, body, headers }: VerificationAnswer) => ({
  ...{ operation: operation.operationId, status, error: body.error },
  isNamed: body.requestId === headers.get('x-request-id'),
})

describe('every operation refuses', () => {
  test.each(rows)('%s, before it reads the body, and stores nothing', async (_who, make, refusal) => {
    const headers = await make()
    const before = await contentsOf(stack)
    const refused = guardedOperations.filter(({ operation }) => refusal(operation) !== null)
    expect(refused.length).toBeGreaterThan(5)
    for (const torn of [false, true])
      for (const listed of refused) {
        const [status, error] = refusal(listed.operation) as Refusal
        const answer = await sendSample(verificationUrl(stack), listed, headers, ours, torn)
        const { operationId } = listed.operation
        expect(brief(listed.operation, answer)).toEqual({
          operation: operationId,
          status,
          error,
          isNamed: true,
        })
        expect(JSON.stringify(answer.body)).not.toMatch(/canary/i)
      }
    expectNoChange({ received: [], changedBy: [], before, after: await contentsOf(stack) })
  })

  test('another business: its records do not exist for it, and its list has not one of them', async () => {
    const key = await keyOf(await newBusiness())
    const about = guardedOperations.filter(({ path }) => path.includes('{id}'))
    const before = await contentsOf(stack)
    for (const listed of about) {
      const [theirs, missing] = [
        await sendSample(verificationUrl(stack), listed, bearer(key), ours),
        await sendSample(verificationUrl(stack), listed, bearer(key), noRecords()),
      ]
      expect([listed.operation.operationId, theirs.status]).toEqual([listed.operation.operationId, 404])
      const { requestId: _, ...body } = theirs.body
      const { requestId: __, ...other } = missing.body
      expect(body).toEqual(other)
    }
    expect((await send('GET', '/verifications', key)).body).toMatchObject({ verifications: [], total: 0 })
    expectNoChange({ received: [], changedBy: [], before, after: await contentsOf(stack) })
  })

  test('on mainnets: a key of a test network, and a business that is not approved; without a verifier or a volume they are 503', async () => {
    await stack.start('verification', { ENVIRONMENT: 'live', VERIFY_UPLOADS: '' }, { as: 'live' })
    const url = verificationUrl(stack, 'live')
    const businessId = await newBusiness()
    const key = await keyOf(businessId, 'secret', 'live')
    for (const listed of guardedOperations) {
      const { operationId } = listed.operation
      const ofTest = await sendSample(url, listed, bearer(secret), ours)
      expect([operationId, ofTest.status, ofTest.body.error]).toEqual([
        operationId,
        403,
        'environment_mismatch',
      ])
      const unapproved = await sendSample(url, listed, bearer(key), ours)
      expect([operationId, unapproved.status, unapproved.body.error]).toEqual([
        operationId,
        403,
        'business_not_approved',
      ])
    }
    await setApproval(stack, systemActor('test'), businessId, 'approved', null)
    for (const listed of guardedOperations.filter(({ method }) => method === 'post')) {
      const { operationId } = listed.operation
      const answer = await sendSample(url, listed, bearer(key), ours)
      expect([operationId, answer.status, answer.body.error]).toEqual([operationId, 503, 'unavailable'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await stack.db.query('select 1 from verifications where business_id = $1', [businessId])).toEqual(
      [],
    )
  })

  test('a business past its limit: 429, and when to repeat', async () => {
    await stack.start('verification', { RATE_LIMIT_BUSINESS: '1' }, { as: 'limited' })
    const key = await keyOf(await newBusiness())
    expect((await send('GET', '/verifications', key, undefined, 'limited')).status).toBe(200)
    for (const listed of guardedOperations) {
      const { status, body, headers } = await sendSample(
        verificationUrl(stack, 'limited'),
        listed,
        bearer(key),
        ours,
      )
      expect([listed.operation.operationId, status, body.error]).toEqual([
        ...[listed.operation.operationId, 429, 'Too many requests, please try again later.'],
      ])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})

describe('every row of "Status codes" and "Error bodies"', () => {
  const wanted = (more: object = {}) => ({ ...bodyOf('createVerification'), ...more })
  const verify = (body: object = wanted(), key: string | null = secret) => send('POST', '/verify', key, body)
  const table: [
    status: number,
    error: string | undefined,
    what: string,
    request: () => Promise<VerificationAnswer>,
  ][] = [
    [200, undefined, 'a GET', () => send('GET', `/status/${ours.verification}`, publishable)],
    [200, undefined, 'an upload', () => send('POST', '/uploads', publishable, uploadForm())],
    [202, undefined, 'a verification is queued', () => verify()],
    [400, 'Invalid request body', 'an invalid body', () => verify([])],
    [400, 'Invalid request body', 'a bad field', () => verify(wanted({ country: 'Nigeria' }))],
    [400, 'Invalid request body', 'a missing field', () => verify(wanted({ idType: undefined }))],
    [
      400,
      'Unsupported file type',
      'an unsupported file',
      () => send('POST', '/uploads', secret, uploadForm(Buffer.from('<html>'))),
    ],
    [
      400,
      'File too large (max 25MB)',
      'a file over the limit',
      () => send('POST', '/uploads', secret, uploadForm(png(maxBytes + 1))),
    ],
    [401, 'Missing or invalid Authorization header', 'no credential', () => verify(wanted(), null)],
    [401, 'Invalid API key', 'an unknown key', () => verify(wanted(), generateKey('sk', 'test').reveal())],
    [
      403,
      'secret_key_required',
      'a publishable key',
      () => send('GET', `/result/${ours.verification}`, publishable),
    ],
    [403, 'Forbidden', "another organisation's requestId", forbidden],
    [
      403,
      'environment_mismatch',
      'a key of production',
      async () => verify(wanted(), await keyOf(stack.businessId, 'secret', 'live')),
    ],
    [404, 'Verification not found', 'an unknown id', () => send('GET', `/status/${newId()}`, secret)],
    [
      404,
      'Verification not found',
      "another's id",
      async () => send('GET', `/status/${ours.verification}`, await keyOf(await newBusiness())),
    ],
    [500, 'pricing_not_configured', 'no price', () => verify(wanted({ country: 'GH' }))],
    [402, 'insufficient_credit', 'no credit', async () => verify(wanted(), await keyOf(await newBusiness()))],
  ]

  async function forbidden(): Promise<VerificationAnswer> {
    const body = wanted()
    expect((await verify(body)).status).toBe(202)
    return verify(body, await keyOf(await newBusiness()))
  }

  test.each(table)('%d %s: %s', async (status, error, _what, request) => {
    const answer = await request()
    expect([answer.status, answer.body.error]).toEqual([status, error])
    if (error === undefined) return
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'))
    expect(answer.headers.get('content-type')).toContain('application/json')
    if (error === 'Invalid request body') expect(answer.body.message).toEqual(expect.any(String))
  })
})
