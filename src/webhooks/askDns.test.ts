import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type NameServer, startNameServer } from '../../test/support/nameServer.ts'
import { askDns } from './egress.ts'

let server: NameServer

beforeAll(async () => {
  server = await startNameServer({ 'good.example': '203.0.113.7' })
})
afterAll(() => server.close())

test('names whose servers are silent hold up no other name, however many they are, and fail within the deadline', async () => {
  const lookup = askDns(4000, [server.address])
  let failed = 0
  const silent = Array.from({ length: 64 }, (_, i) => lookup(`bad${i}.example`).catch(() => failed++))
  await new Promise((resolve) => setImmediate(resolve))
  expect(await lookup('good.example')).toEqual(['203.0.113.7'])
  expect(failed).toBe(0)
  await Promise.all(silent)
  expect(failed).toBe(64)
}, 20_000)

test('a name that is known and has no address of one family has those of the other', async () => {
  expect(await askDns(2000, [server.address])('good.example')).toEqual(['203.0.113.7'])
  expect(server.asked.filter((name) => name === 'good.example').length).toBeGreaterThanOrEqual(2)
})
