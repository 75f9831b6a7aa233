import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Contract, loadContract, loadDashboardContract, operationsOf } from '../../api/contract.ts'
import { newId } from '../../src/platform/ids.ts'
import { addMember, addPerson, sessionOf } from '../support/dashboardSession.ts'
import { makeRecords, nameOf, type SampleRecords, sampleOf } from '../support/sampleRequests.ts'
import { createStack, type Stack } from '../support/stack.ts'

const csvType = 'text/csv; charset=utf-8; header=present'

let stack: Stack
let records: SampleRecords
let member: Record<string, string>
let operator: Record<string, string>

beforeAll(async () => {
  stack = await createStack({
    chains: ['ethereum', 'base'],
    bridge: true,
    processes: ['api'],
    env: { RPC_TIMEOUT_MS: '5000' },
  })
  records = await makeRecords(stack)
  member = (await sessionOf(stack, await addMember(stack, stack.businessId, 'owner'))).headers
  operator = (await sessionOf(stack, await addPerson(stack, { operator: true }))).headers
})
afterAll(() => stack?.close())

const get = async (path: string, headers: Record<string, string>) => {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}${path}`, { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() }
}
const ours = (path: string, accept = 'text/csv') =>
  get(`/api/v1${path}`, { 'x-api-key': stack.apiKey, accept })

describe.each<[string, Contract]>([
  ['programs', loadContract()],
  ['the dashboard', loadDashboardContract()],
])('for who accepts CSV alone, of %s', (_name, contract) => {
  const readings = operationsOf(contract).filter(
    ({ method, operation, servers }) =>
      method === 'get' && servers[0] !== '/' && operation.responses['101'] === undefined,
  )

  test('each list and statement is CSV, and nothing else answers at all', async () => {
    for (const listed of readings) {
      const { operation, servers } = listed
      const person = operation['x-role'] === 'operator' ? operator : member
      const credential = servers[0] === '/api/v1' ? { 'x-api-key': stack.apiKey } : person
      const { path } = sampleOf(listed, records)
      const answer = await get(`${servers[0]}${path}`, { ...credential, accept: 'text/csv' })
      const hasCsv = 'text/csv' in ((operation.responses['200'] as { content?: object }).content ?? {})
      const isList = /^list(?!Senders)|Statement/.test(operation.operationId)
      expect([nameOf(listed), hasCsv]).toEqual([nameOf(listed), isList])
      expect([nameOf(listed), answer.status, answer.headers.get('content-type')]).toEqual(
        hasCsv ? [nameOf(listed), 200, csvType] : [nameOf(listed), 406, 'application/json; charset=utf-8'],
      )
      if (!hasCsv) expect(JSON.parse(answer.text)).toMatchObject({ error: 'Not acceptable' })
      else expect(answer.text).toMatch(/^[A-Za-z]+[A-Za-z0-9_.,]*\r\n/)
    }
  })
})

test('a change is refused before it is done, where its answer cannot be CSV', async () => {
  const before = await ours('/pos/sessions', 'application/json')
  const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/pos/sessions`, {
    method: 'POST',
    headers: {
      'x-api-key': stack.apiKey,
      accept: 'text/csv',
      'content-type': 'application/json',
      'idempotency-key': newId(),
    },
    body: JSON.stringify({ chain: 'ethereum', token: 'USDC', amount: '1', expirySeconds: 600 }),
  })
  expect(response.status).toBe(406)
  const after = await ours('/pos/sessions', 'application/json')
  expect(JSON.parse(after.text)).toEqual(JSON.parse(before.text))
})

test.each([
  ['application/json', 'application/json'],
  ['*/*', 'application/json'],
  ['text/csv, */*;q=0.1', 'text/csv'],
  ['application/json, text/csv;q=0.9', 'application/json'],
  ['text/csv;q=0, application/json', 'application/json'],
])('%s is answered with %s', async (accept, type) => {
  expect((await ours('/pos/sessions', accept)).headers.get('content-type')).toContain(type)
})

test('what has no CSV is JSON for who takes that as well', async () => {
  const { status, headers } = await ours(`/pos/sessions/${records.session}`, 'text/csv, application/json')
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
})

test('the file of payments holds every row once, whatever the page', async () => {
  for (let i = 0; i < 5; i++) await stack.createSession()
  const all = JSON.parse((await ours('/pos/sessions?limit=100', 'application/json')).text) as {
    sessions: { id: string }[]
  }
  const { text } = await ours('/pos/sessions?limit=2&page=1')
  const [head, ...lines] = text.trimEnd().split('\r\n')
  expect(head).toMatch(/^session,/)
  expect(lines.map((line) => line.split(',')[0])).toEqual(all.sessions.map(({ id }) => id))
})

test('what a spreadsheet would calculate is a text, and a file says its encoding where that is requested', async () => {
  const reference = '=HYPERLINK("http://x","é")'
  await stack.createSession({ reference })
  const path = `/pos/sessions?reference=${encodeURIComponent(reference)}`
  const plain = await ours(path)
  expect(plain.text).toContain(`"'=HYPERLINK(""http://x"",""é"")"`)
  expect(plain.headers.get('content-disposition')).toBe('attachment; filename="payments.csv"')
  const marked = await ours(`${path}&bom=true`)
  expect([...marked.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(marked.bytes.subarray(3)).toEqual(plain.bytes)
  const entries = await ours('/ledger/entries?bom=true')
  expect([...entries.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect((await ours('/pos/sessions?bom=true', 'application/json')).status).toBe(200)
  expect((await ours('/pos/sessions?bom=maybe')).status).toBe(400)
})
