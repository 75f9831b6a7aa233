import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Contract, loadContract, loadDashboardContract, operationsOf } from '../../api/contract.ts'
import { contentsOf } from '../support/credentialMatrix.ts'
import { addMember, addPerson, type Headers, sessionOf } from '../support/dashboardSession.ts'
import {
  type ListedOperation,
  makeRecords,
  nameOf,
  type SampleRecords,
  sampleOf,
} from '../support/sampleRequests.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { headOf, openRaw } from './rawHttp.ts'

let stack: Stack
let records: SampleRecords
let operator: Headers

beforeAll(async () => {
  stack = await createStack({ processes: ['api'], env: { RPC_TIMEOUT_MS: '5000' } })
  records = await makeRecords(stack)
  const person = await addPerson(stack, { operator: true })
  await addMember(stack, stack.businessId, 'owner', person)
  operator = (await sessionOf(stack, person)).headers
})
afterAll(() => stack?.close())

const contracts: [string, Contract, () => Headers][] = [
  ['the API', loadContract(), () => ({ 'x-api-key': stack.apiKey })],
  ['the dashboard', loadDashboardContract(), () => operator],
]

interface Sent {
  what: string
  method: string
  path: string
  body?: Buffer | undefined
}

interface Parameter {
  $ref?: string
  name: string
  in: string
}

/** The parameters of an operation in the query or in the path. */
function parametersOf(contract: Contract, { operation }: ListedOperation, place: 'query' | 'path'): string[] {
  const all = (operation.parameters ?? []) as Parameter[]
  return all
    .map((each) =>
      each.$ref
        ? ((contract.components.parameters as unknown as Record<string, Parameter>)[
            each.$ref.split('/').at(-1) ?? ''
          ] ?? each)
        : each,
    )
    .flatMap((each) => (each.in === place ? [each.name] : []))
}

const numbers = [
  '9007199254740993',
  '-9007199254740993',
  '1e309',
  '-1e309',
  '9'.repeat(400),
  'Infinity',
  '%31e309',
]
const brokenText = ['%ff', 'Caf%E9', '%ED%A0%80', 'a%C0%AFb']

/** Every parameter of an operation with every value that would be changed in silence. */
function withParameters(contract: Contract, listed: ListedOperation): Sent[] {
  const { path, body } = sampleOf(listed, records)
  const sent = (what: string, changed: string): Sent => ({
    what: `${nameOf(listed)} ${what}`,
    method: listed.method,
    path: changed,
    body: body && Buffer.from(JSON.stringify(body)),
  })
  const [before = ''] = path.split('?')
  const queries = parametersOf(contract, listed, 'query').flatMap((name) =>
    [...numbers, ...brokenText].map((value) => sent(`${name}=${value}`, `${before}?${name}=${value}`)),
  )
  const names = [...listed.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  expect(names.toSorted()).toEqual(parametersOf(contract, listed, 'path').toSorted())
  const places = listed.path.split('/').flatMap((segment, at) => (segment.startsWith('{') ? [at] : []))
  const paths = places.flatMap((at) =>
    [...numbers, ...brokenText].map((value) =>
      sent(`segment ${at} ${value}`, before.split('/').with(at, value).join('/')),
    ),
  )
  return [...queries, ...paths]
}

/** The body of an operation with each field broken in turn. */
function withBodies(listed: ListedOperation): Sent[] {
  const { path, body } = sampleOf(listed, records)
  if (!body) return []
  const fields = Object.keys(body).length > 0 ? Object.keys(body) : ['any']
  const values = [
    '"Caf\xe9"',
    '"\xed\xa0\x80"',
    '"\\ud800"',
    '"\\udc00x"',
    '1e309',
    '-1e400',
    '9007199254740993',
    '[{"a":738529527931269425}]',
  ]
  return fields.flatMap((field) =>
    values.map((value) => {
      const text = JSON.stringify({ ...body, [field]: '<here>' }).replace('"<here>"', value)
      return {
        what: `${nameOf(listed)} ${field}: ${value}`,
        method: listed.method,
        path,
        body: Buffer.from(text, 'latin1'),
      }
    }),
  )
}

/**
 * Twenty requests share a busy machine, so that each may take longer than the second that it takes alone.
 * What hung took 120 s.
 */
const maxMs = 10_000

async function refusalsOf(base: string, headers: Headers, all: readonly Sent[]) {
  const wrong: string[] = []
  for (let i = 0; i < all.length; i += 20)
    await Promise.all(
      all.slice(i, i + 20).map(async ({ what, method, path, body }) => {
        const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}${base}${path}`, {
          method: method.toUpperCase(),
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
          signal: AbortSignal.timeout(maxMs),
          ...(body && { body }),
        }).catch(() => null)
        await response?.arrayBuffer()
        if (!response || response.status < 400 || response.status >= 500)
          wrong.push(`${what}: ${response?.status ?? `no answer in ${maxMs} ms`}`)
      }),
    )
  return wrong
}

const served = (contract: Contract) => operationsOf(contract).filter(({ servers }) => servers[0] !== '/')

test.each(contracts)(
  'every parameter of %s refuses numbers past 2^53, numbers that are not finite and broken UTF-8, and nothing is stored',
  async (_name, contract, headers) => {
    const all = served(contract).flatMap((listed) => withParameters(contract, listed))
    expect(all.length).toBeGreaterThan(1000)
    const before = await contentsOf(stack)
    expect(await refusalsOf(contract.servers[0]?.url ?? '', headers(), all)).toEqual([])
    expect(await contentsOf(stack)).toEqual(before)
  },
)

test.each(contracts)(
  'every body of %s refuses broken UTF-8, lone surrogates and numbers that are not kept, and nothing is stored',
  async (_name, contract, headers) => {
    const all = served(contract).flatMap(withBodies)
    expect(all.length).toBeGreaterThan(300)
    const before = await contentsOf(stack)
    expect(await refusalsOf(contract.servers[0]?.url ?? '', headers(), all)).toEqual([])
    expect(await contentsOf(stack)).toEqual(before)
  },
)

test('bytes that are not percent-encoded are refused, and so is a stored header that is not UTF-8, by name', async () => {
  const port = stack.processes.get('api')?.port() ?? 0
  const refused = async (head: string) => {
    const { answer, socket } = openRaw(port)
    socket.write(Buffer.from(head, 'latin1'))
    const { status, body } = (await answer()) ?? {}
    socket.destroy()
    return [status, body ? (JSON.parse(body) as { fields?: object[] }).fields : 'no body']
  }
  const key = { 'x-api-key': stack.apiKey }
  // Node's parser refuses these itself.
  expect(await refused(headOf('GET', '/api/v1/pos/sessions?search=Caf\xe9', key))).toEqual([400, 'no body'])
  const agent = { ...key, 'user-agent': 'Caf\xe9' }
  expect(await refused(headOf('GET', '/api/v1/pos/sessions', agent))).toEqual([
    400,
    [{ field: 'User-Agent', code: 'unsafe_text', message: 'is not valid UTF-8' }],
  ])
  expect(
    (await refused(headOf('GET', '/api/v1/pos/sessions', { ...key, 'user-agent': 'Caf\xc3\xa9' })))[0],
  ).toBe(200)
})
