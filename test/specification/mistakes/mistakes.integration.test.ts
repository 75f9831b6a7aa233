import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { addPerson, tokenOf } from '../../support/dashboardSession.ts'
import { createStack, type Stack } from '../../support/stack.ts'
import { type Answered, answersPage } from './answersPage.ts'
import { type Mistake, mistakes } from './requests.ts'

// Each request with mistakes is sent to the real API: its answer names all of them, and what is right.
// MISTAKES_RECORD=before or =now writes the answers; answers.md shows both.

let stack: Stack
let token = ''
beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', 'base'], processes: ['api'] })
  const person = await addPerson(stack)
  token = (await tokenOf(stack, person)).authorization.replace('Bearer ', '')
})
afterAll(() => stack?.close())

const record = process.env.MISTAKES_RECORD
const answers: Answered[] = []
const fileOf = (name: string) => join(import.meta.dirname, `${name}.json`)

function credentialOf({ with: by = 'key' }: Mistake): Record<string, string> {
  switch (by) {
    case 'key':
      return { 'x-api-key': stack.apiKey }
    case 'none':
      return {}
    case 'keyAsBearer':
      return { authorization: `Bearer ${stack.apiKey}` }
    case 'tokenAsKey':
      return { 'x-api-key': token }
    case 'keyWithoutScheme':
      return { authorization: stack.apiKey }
    case 'basic':
      return { authorization: `Basic ${Buffer.from('me@shop.example:secret').toString('base64')}` }
    case 'wrongKey':
      return { 'x-api-key': stack.apiKey.slice(0, -1) }
  }
}

async function send(mistake: Mistake): Promise<Answered> {
  const [method = '', path = ''] = mistake.request.split(' ')
  const place = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`
  const { body } = mistake
  const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}${place}`, {
    method,
    headers: {
      ...credentialOf(mistake),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { error, message, fields } = (await response.json()) as Omit<Answered, 'name' | 'status'>
  return {
    name: mistake.name,
    status: response.status,
    error,
    ...(fields && { fields }),
    ...(message && { message }),
  }
}

/** Words of a validator, which no caller has to know. */
const jargon =
  /must match|must NOT|format "|pattern|fewer than|more than \d+ (characters|items)|oneOf|anyOf|schema|additional propert|must be equal to/

describe('each answer names all mistakes, their fields, and what is right', () => {
  test.each(mistakes.map((each) => [each.name, each] as const))('%s', async (_name, mistake) => {
    const answer = await send(mistake)
    answers.push(answer)
    if (record === 'before') return
    const { status = 400, error, fields, words = [] } = mistake
    expect(answer.status).toBe(status)
    if (error !== undefined) expect(answer.error).toBe(error)
    if (fields)
      expect(Object.fromEntries((answer.fields ?? []).map(({ field, code }) => [field, code]))).toEqual(
        fields,
      )
    // Each mistake has a code of its own.
    expect((answer.fields ?? []).map(({ code }) => code)).not.toContain('invalid')
    for (const each of words) expect(answer.message).toMatch(each)
    expect(answer.message).not.toMatch(jargon)
  })
})

test('a long body names its first mistake alone, also where it announces no length', async () => {
  const body = JSON.stringify({ chain: 'ethereum', addresses: Array.from({ length: 9000 }, () => 1) })
  const post = (sent: string | ReadableStream) =>
    fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/monitoring/addresses/bulk`, {
      method: 'POST',
      headers: { 'x-api-key': stack.apiKey, 'content-type': 'application/json' },
      body: sent,
      duplex: 'half',
    } as RequestInit)
  for (const sent of [body, new Blob([body]).stream()]) {
    const answer = await post(sent)
    const { fields } = (await answer.json()) as Answered
    expect([answer.status, fields?.map(({ field }) => field)]).toEqual([400, ['addresses.0']])
  }
})

test('the page of answers, before and now, is that of this run', () => {
  if (record === 'before') writeFileSync(fileOf(record), `${JSON.stringify(answers, null, 2)}\n`)
  const read = (name: string) => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Answered[]
  const before = existsSync(fileOf('before')) ? read('before') : []
  const page = answersPage(mistakes, before, answers)
  const file = join(import.meta.dirname, 'answers.md')
  if (record === 'now') writeFileSync(file, page)
  if (!record) expect(readFileSync(file, 'utf8')).toBe(page)
})
