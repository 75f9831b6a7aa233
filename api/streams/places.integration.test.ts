import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type LocalRedis, startRedis } from '../../scripts/local/redis.ts'
import { openImpatientRedis, type RedisClient } from '../../src/platform/redis/redis.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { pause } from '../../src/platform/wait.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { createPlaces } from './places.ts'

const log = createLog('places', 'silent')
let home: string
let server: LocalRedis
let redis: RedisClient

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'cowry-places-'))
  server = await startRedis({ home, durable: false })
  redis = openImpatientRedis({ REDIS_URL: server.url }, log)
  await waitFor('Redis', async () => redis.status === 'ready')
})
afterAll(async () => {
  redis?.disconnect()
  await server?.stop()
  rmSync(home, { recursive: true, force: true })
})

const placesOf = (leaseMs = 60_000) =>
  createPlaces({ redis, log }, { prefix: 'test', perCredential: 2, leaseMs })

test('processes share the places of a credential', async () => {
  const [one, two] = [placesOf(), placesOf()]
  expect(await one.take('key:a', '1')).toBe(true)
  expect(await two.take('key:a', '2')).toBe(true)
  expect([await one.take('key:a', '3'), await two.take('key:a', '3'), await two.take('key:b', '3')]).toEqual([
    false,
    false,
    true,
  ])
  await one.free('key:a', '1')
  expect([await two.take('key:a', '4'), await one.take('key:a', '5')]).toEqual([true, false])
})

test('at the same time no more than the maximum get a place', async () => {
  const taken = await Promise.all(
    Array.from({ length: 50 }, (_, index) => placesOf().take('key:many', String(index))),
  )
  expect(taken.filter((each) => each)).toHaveLength(2)
})

test('a place that is not renewed is free after its lease, and a renewed one is held', async () => {
  const leaseMs = 600
  const places = placesOf(leaseMs)
  await places.take('key:c', 'renewed')
  await places.take('key:c', 'lost')
  await pause(leaseMs / 2)
  await places.renew('key:c', ['renewed'])
  await pause(leaseMs / 2 + 50)
  expect([await places.take('key:c', 'next'), await places.take('key:c', 'over')]).toEqual([true, false])
})

test('while Redis is away every place is given, and renewing restores it later', async () => {
  const places = placesOf()
  await redis.flushall()
  await places.renew('key:d', ['1', '2'])
  expect(await places.take('key:d', '3')).toBe(false)
  const away = openImpatientRedis({ REDIS_URL: 'redis://127.0.0.1:1' }, log)
  const without = createPlaces({ redis: away, log }, { prefix: 'test', perCredential: 2, leaseMs: 60_000 })
  expect(await without.take('key:d', '3')).toBe(true)
  await without.free('key:d', '3')
  away.disconnect()
})
