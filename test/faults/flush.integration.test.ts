import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { full, howMany } from '../support/full.ts'
import { effectsOn, expectNothingLeftOver } from '../support/outcome.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

const payments = howMany(60, 1000)
let stack: Stack
let redis: Redis

beforeAll(async () => {
  stack = await createStack({
    processes: full ? ['treasury', 'cowry'] : ['cowry'],
    confirmations: 2,
    env: { POOL_TARGET: String(payments + 50), POOL_LOW_WATER: String(payments + 50) },
  })
  redis = new Redis(stack.redis.url)
})
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
})

const perBlock = 10

test('repeated FLUSHALL during many payments: each is detected and credited once and reported at least once', async () => {
  const sessions: SessionBody[] = []
  while (sessions.length < payments)
    sessions.push(
      ...(await Promise.all(Array.from({ length: 20 }, () => stack.createSession({ amount: '5' })))),
    )

  let flushes = 0
  for (let first = 0; first < payments; first += perBlock) {
    for (const session of sessions.slice(first, first + perBlock))
      await stack.send(session.address, 5_000_000n)
    await stack.mine()
    // At different stages of the pipeline: right after the block, after its commit, while jobs run.
    if (flushes % 3 === 1) await stack.caughtUp()
    if (flushes % 3 === 2) await waitFor('a job', async () => (await redis.dbsize()) > 0)
    await redis.flushall()
    flushes++
  }
  await stack.mine(2)
  await stack.caughtUp()
  await redis.flushall()
  expect(flushes).toBe(payments / perBlock)

  for (const session of sessions) await stack.sessionIs(session.id, 'paid', 'none', 60_000)
  await stack.idle(60_000)
  await expectNothingLeftOver(stack)
  const effects = await effectsOn(
    stack,
    sessions.map((session) => session.id),
  )
  for (const session of sessions) {
    const effect = effects.get(session.id)
    expect(effect).toMatchObject({ detections: 1, credits: 1, status: 'paid', paidEvents: 1 })
    expect(effect?.paidDeliveries).toBeGreaterThanOrEqual(1)
  }
  expect(stack.receiver.forged).toEqual([])
}, 600_000)

test('while Redis is unavailable sessions are created, and their payments are credited when it is back', async () => {
  const before = await stack.createSession({ amount: '5' })
  await redis.call('CLIENT', 'PAUSE', '3000', 'ALL').catch(() => {})
  const during = await stack.createSession({ amount: '5' })
  for (const session of [before, during]) await stack.send(session.address, 5_000_000n)
  await stack.mine(3)
  for (const session of [before, during]) await stack.sessionIs(session.id, 'paid')
})
