import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type NameServer, startNameServer } from '../../test/support/nameServer.ts'
import { createEgress, resolveHost } from './egress.ts'

let server: NameServer
let second: NameServer
const both = ['203.0.113.7', '2001:db8::7']
const known = {
  'good.example': ['203.0.113.7'],
  'both.example': both,
  'six.example': both,
  'four.example': both,
  'inside.example': ['127.0.0.1', '::1'],
}
const silent = ['AAAA four.example', 'A six.example', 'AAAA inside.example']

beforeAll(async () => {
  server = await startNameServer(known, silent)
  second = await startNameServer(known, silent)
})
afterAll(() => Promise.all([server.close(), second.close()]))

test('names with silent servers delay no other name, however many they are, and fail within the deadline', async () => {
  const lookup = resolveHost(4000, [server.address])
  let failed = 0
  const silent = Array.from({ length: 64 }, (_, i) => lookup(`bad${i}.example`).catch(() => failed++))
  await new Promise((resolve) => setImmediate(resolve))
  expect(await lookup('good.example')).toEqual(['203.0.113.7'])
  expect(failed).toBe(0)
  await Promise.all(silent)
  expect(failed).toBe(64)
})

test('a name without addresses of one family has those of the other', async () => {
  expect(await resolveHost(2000, [server.address])('good.example')).toEqual(['203.0.113.7'])
  expect(server.asked).toEqual(expect.arrayContaining(['A good.example', 'AAAA good.example']))
})

test('a name has its addresses of both families', async () => {
  expect(await resolveHost(2000, [server.address])('both.example')).toEqual(both)
})

test.each([
  ['AAAA', 'four.example', '203.0.113.7'],
  ['A', 'six.example', '2001:db8::7'],
])(
  'type %s questions that every name server drops are not waited for if the other family is known',
  async (type, name, address) => {
    const lookup = resolveHost(8000, [server.address, second.address])
    expect(await lookup(name)).toEqual([address])
    // No question was repeated.
    expect([...server.asked, ...second.asked].filter((asked) => asked === `${type} ${name}`)).toHaveLength(1)
  },
)

test('an address that came without the other family is checked like any other', async () => {
  const egress = createEgress({
    allow: [],
    proxyUrl: null,
    timeoutMs: 8000,
    lookup: resolveHost(8000, [server.address]),
  })
  const asking = egress.dispatcher.request({ origin: 'http://inside.example', path: '/', method: 'GET' })
  await expect(asking).rejects.toThrow('the host has no public address')
  await egress.close()
  expect(server.asked.filter((asked) => asked === 'AAAA inside.example')).toHaveLength(1)
})
