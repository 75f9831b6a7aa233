import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { loadVerificationContract } from '../../api/contract.ts'
import { newId } from '../../src/platform/ids.ts'
import { contentsOf } from '../support/credentialMatrix.ts'
import { addCredit, makeVerificationKey, setPrice, setProductPrice } from '../support/madeVerifications.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { verificationUrl } from '../support/verificationHost.ts'
import { bodyOf } from '../support/verificationSamples.ts'

// Each field and parameter of the verification host, wrong in each way that its schema and JSON allow.

let stack: Stack
let secret: string

beforeAll(async () => {
  stack = await createStack({ processes: ['verification'] })
  await setPrice(stack.db, 'NG', 'passport', 1n)
  await setProductPrice(stack.db, 'assessment', 1n)
  await setProductPrice(stack.db, 'decision', 1n)
  await addCredit(stack.db, stack.businessId, 1000n)
  secret = (await makeVerificationKey(stack.db, stack.businessId)).secret.reveal()
})
afterAll(() => stack?.close())

interface Schema {
  $ref?: string
  type?: string
  enum?: string[]
  required?: string[]
  properties?: Record<string, Schema>
  minLength?: number
  maxLength?: number
  maxItems?: number
}
const contract = loadVerificationContract()
const resolved = (schema: Schema): Schema =>
  schema.$ref
    ? resolved(
        (contract.components.schemas as Record<string, Schema>)[schema.$ref.split('/').at(-1) ?? ''] ?? {},
      )
    : schema

const posts = [
  ['createVerification', '/verify', 'NewVerification'],
  ['createRiskAssessment', '/risk-assessments', 'NewRiskAssessment'],
  ['createDecision', '/decisions', 'NewDecision'],
] as const

/** Texts of JSON that a field of this schema must not take. */
function wrongTexts(name: string, given: Schema, isRequired: boolean): string[] {
  const { type, enum: values, minLength, maxLength, maxItems } = resolved(given)
  const always = [
    '1',
    'true',
    '1e309',
    '9007199254740993',
    '[[]]',
    ...(type === 'object' ? ['"text"', '{"a":"\\ud800"}'] : ['{"a":1}']),
  ]
  const texts = type === 'string' ? ['"\xff"', '"\\ud800"', '"a\\u202eb"', '"a\\u0000b"'] : []
  return [
    ...always,
    ...texts,
    ...(isRequired ? ['null'] : []),
    ...((minLength ?? 0) > 0 ? ['""', '" "'] : []),
    ...(maxLength ? [`"${'a'.repeat(maxLength + 1)}"`] : []),
    ...(values ? ['"another"', `"${values[0]?.toUpperCase()} "`] : []),
    ...(maxItems
      ? [
          JSON.stringify(Array.from({ length: maxItems + 1 }, (_, i) => `u${i}`)),
          '[]',
          '["a","a"]',
          '[1]',
          '"a"',
        ]
      : []),
    ...(special[name] ?? []),
  ]
}

const special: Record<string, string[]> = {
  country: ['"ng"', '"Nigeria"', '"ZZ"', '"N1"'],
  idType: ['"Passport!"', '"pass port"'],
  dob: ['"1990-02-31"', '"31.12.1990"', '"1990"', '"1990-12"', '"2990-01-01"', '"1990-12-31T00:00:00Z"'],
  amount: ['"-1"', '"1e3"', '"1,5"', '"01"', '".5"'],
  currency: ['"usdc"', '"US"'],
  metadata: [JSON.stringify({ big: 'x'.repeat(5000) })],
  requestId: ['"with space"', '"\u00e9"'],
}

async function refused(
  method: string,
  path: string,
  body?: Buffer,
): Promise<{ status: number; error: unknown; fields: string[] }> {
  const response = await fetch(`${verificationUrl(stack)}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: new Uint8Array(body) }),
  })
  const answer = (await response.json()) as { error?: unknown; fields?: { field: string }[] }
  return {
    status: response.status,
    error: answer.error,
    fields: (answer.fields ?? []).map(({ field }) => field),
  }
}

describe.each(posts)('%s', (operationId, path, name) => {
  const { properties = {}, required = [] } = resolved({ $ref: name })

  test('refuses each field that is wrong, by its name, and stores nothing', async () => {
    const before = await contentsOf(stack)
    const wrong: string[] = []
    let sent = 0
    for (const [field, schema] of Object.entries(properties)) {
      for (const text of wrongTexts(field, schema, required.includes(field))) {
        const whole = JSON.stringify({ ...bodyOf(operationId), [field]: '<here>' }).replace('"<here>"', text)
        const answer = await refused('POST', path, Buffer.from(whole, 'latin1'))
        const names = answer.fields.some((each) => each === field || each.startsWith(`${field}.`))
        if (answer.status !== 400 || answer.error !== 'Invalid request body' || !names)
          wrong.push(`${field}: ${text.slice(0, 60)} ${answer.status}`)
        sent++
      }
    }
    expect(wrong).toEqual([])
    expect(sent).toBeGreaterThan(40)
    expect(await contentsOf(stack)).toEqual(before)
  })

  test('refuses a missing field, an unknown one, and a body that is no object', async () => {
    const before = await contentsOf(stack)
    const send = (body: unknown) =>
      refused('POST', path, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
    for (const field of required)
      expect(await send({ ...bodyOf(operationId), [field]: undefined })).toMatchObject({
        status: 400,
        fields: [field],
      })
    expect(await send({ ...bodyOf(operationId), mispelt: 1 })).toMatchObject({
      status: 400,
      fields: ['mispelt'],
    })
    for (const body of ['', '[]', '1', 'null', '"text"', '{"torn":', '{}x'])
      expect(await send(body)).toMatchObject({ status: 400 })
    expect(await send({ ...bodyOf(operationId), requestId: 'x'.repeat(200_000) })).toMatchObject({
      status: 413,
    })
    expect(await contentsOf(stack)).toEqual(before)
  })
})

test('each parameter of a list or a path that is wrong is refused', async () => {
  const odd = ['9007199254740993', '1e309', '%ff', '%ED%A0%80', 'a%C0%AFb']
  const queries = [
    ...[
      'page=0',
      'page=-1',
      'page=x',
      'limit=0',
      'limit=101',
      'limit=1.5',
      'sort=up',
      'cursor=x',
      'mispelt=1',
      'status=done',
      'status=',
      'country=ng',
    ],
    ...['page', 'limit', 'sort', 'cursor', 'status', 'country', 'idType', 'requestId'].flatMap((name) =>
      odd.map((value) => `${name}=${value}`),
    ),
  ]
  const wrong: string[] = []
  for (const query of queries) {
    const { status } = await refused('GET', `/verifications?${query}`)
    if (status !== 400) wrong.push(`${query}: ${status}`)
  }
  const paths = [
    '/status/X',
    '/result/X',
    `/result/${newId()}/media/X`,
    '/export/X',
    '/decisions/X',
    '/risk-assessments/X',
  ]
  for (const path of paths)
    for (const value of [...odd, 'nothing', '..%2f..%2fetc', '%00', 'a'.repeat(2000)]) {
      const { status } = await refused('GET', path.replace('X', value))
      if (![400, 404].includes(status)) wrong.push(`${path} ${value.slice(0, 20)}: ${status}`)
    }
  expect(wrong).toEqual([])
})
