import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkRedis } from '../../commands/doctor/checkRedis.ts'
import { queuePrefix, type RedisUser, redisUsers } from '../../src/platform/redis/redisUsers.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Authority, makeAuthority } from '../support/authority.ts'
import { full, howMany } from '../support/full.ts'
import { effectsOn, expectNothingLeftOver } from '../support/outcome.ts'
import type { RedisSet } from '../support/redisServers.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { metric } from './metric.ts'

const perBlock = 10
const rounds = howMany(1, 6)
const keyOfDeliveries = (isCluster: boolean) =>
  `${queuePrefix('cowry', 'webhook-delivery', isCluster)}:webhook-delivery:wait`

interface Options {
  isCluster: boolean
  /** What happens to the primary; the long form has both. */
  fault: 'kill' | 'freeze'
  start(options: { home: string; authority: Authority }): Promise<RedisSet>
}

/**
 * The suite of several Redis servers that fail over, behind TLS, with users that have only the documented
 * rights.
 */
export function testRedisFailover({ isCluster, fault: usual, start }: Options): void {
  const faults = full ? (['kill', 'freeze'] as const) : [usual]
  let home: string
  let redis: RedisSet
  let stack: Stack

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'cowry-redis-'))
    redis = await start({ home, authority: makeAuthority(home, 'right') })
    stack = await createStack({
      processes: ['cowry', 'worker'],
      confirmations: 2,
      // Few places: most jobs pass through Redis.
      env: { ...redis.env, WORKER_CONCURRENCY: '2' },
    })
  })
  afterAll(async () => {
    await stack?.close()
    await redis?.close()
    rmSync(home, { recursive: true, force: true })
  })

  const workers = () => ['cowry', 'worker'].map((name) => stack.processes.get(name))
  const ready = () =>
    waitFor('the processes to be ready', async () => {
      const answers = await Promise.all(
        workers().map((each) => fetch(`${each?.metricsUrl().replace(/metrics$/, 'health/ready')}`)),
      )
      return answers.every(({ ok }) => ok)
    })
  const primary = () => redis.primaryOf(keyOfDeliveries(isCluster))
  test(`the primary of the deliveries is lost under load (${faults}): no payment is lost or credited twice, and every webhook is delivered`, async () => {
    const sessions: SessionBody[] = []
    const pay = async () => {
      const some = await Promise.all(
        Array.from({ length: perBlock }, () => stack.createSession({ amount: '5' })),
      )
      sessions.push(...some)
      for (const session of some) await stack.send(session.address, 5_000_000n)
      await stack.mine()
    }
    for (let round = 0; round < rounds; round++)
      for (const fault of faults) {
        await pay()
        const before = await primary()
        before[fault]()
        // While it is away.
        await pay()
        await waitFor('another primary', async () => (await primary()) !== before)
        await pay()
        await stack.mine(2)
        for (const session of sessions) await stack.sessionIs(session.id, 'paid', 'none', 60_000)
        // With the lost primary still away.
        await ready()
        await before.revive()
        await redis.inStep()
      }
    await stack.mine(2)
    for (const session of sessions) await stack.sessionIs(session.id, 'paid', 'none', 60_000)
    await stack.idle(60_000)
    await expectNothingLeftOver(stack)
    const effects = await effectsOn(
      stack,
      sessions.map(({ id }) => id),
    )
    for (const { id } of sessions) {
      expect(effects.get(id)).toMatchObject({ detections: 1, credits: 1, status: 'paid', paidEvents: 1 })
      expect(effects.get(id)?.paidDeliveries).toBeGreaterThanOrEqual(1)
    }
    expect(stack.receiver.forged).toEqual([])
  }, 600_000)

  test('afterwards jobs pass through the new primary, limits are shared again, and the processes are ready', async () => {
    await ready()
    const done = () =>
      Promise.all(
        workers().map((each) => metric(each, 'cowry_jobs_total', 'queue="webhook-delivery"', 'completed')),
      )
    const before = (await done()).reduce((sum, each) => sum + each)
    const session = await stack.createSession({ amount: '5' })
    await stack.send(session.address, 5_000_000n)
    await stack.mine(3)
    await stack.sessionIs(session.id, 'paid')
    await waitFor(
      'a job of deliveries',
      async () => (await done()).reduce((sum, each) => sum + each) > before,
    )
    await waitFor('shared limits', async () => {
      await stack.api('GET', '/pos/sessions')
      return (await metric(stack.processes.get('cowry'), 'cowry_rate_limits_local')) === 0
    })
  })

  const doctor = async (env: Record<string, string> = {}, user: RedisUser = 'worker') =>
    checkRedis(
      { env: { ...redis.env, ...env }, parts: [user], fileNames: [], log: createLog('doctor', 'silent') },
      user,
    )

  test('the doctor checks every member and sentinel, as each user, and finds nothing', async () => {
    await redis.inStep()
    for (const user of redisUsers)
      expect([user, (await doctor({}, user)).filter(({ code }) => code !== 'redis_not_kept')]).toMatchObject([
        user,
        [{ code: 'ok' }],
      ])
  })

  test('the doctor names a replica that evicts, one that lacks a user, and settings that lead nowhere', async () => {
    const data = redis.servers.slice(0, isCluster ? 6 : 3)
    const roles = await Promise.all(
      data.map(async (each) => ({ each, role: ((await each.admin.call('ROLE')) as [string])[0] })),
    )
    const replica = roles.find(({ role }) => role === 'slave')?.each
    await replica?.admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect(await doctor()).toContainEqual(
      expect.objectContaining({
        code: 'redis_evicts',
        state: 'fault',
        text: expect.stringContaining(`127.0.0.1:${replica?.port}`),
      }),
    )
    await replica?.admin.config('SET', 'maxmemory-policy', 'noeviction')
    await replica?.admin.call('ACL', 'SETUSER', 'worker', 'off')
    expect(await doctor()).toContainEqual(
      expect.objectContaining({
        code: 'redis_member',
        state: 'fault',
        text: expect.stringContaining(`127.0.0.1:${replica?.port}`),
      }),
    )
    await replica?.admin.call('ACL', 'SETUSER', 'worker', 'on')
    if (isCluster) return
    expect(await doctor({ REDIS_SENTINEL_MASTER: 'another' })).toContainEqual(
      expect.objectContaining({ code: 'redis_sentinel_master' }),
    )
    expect(await doctor({ REDIS_SENTINEL_PASSWORD: 'another' })).toContainEqual(
      expect.objectContaining({ code: 'redis_sentinel' }),
    )
  })

  test('an authority that did not sign the certificates is refused with a sentence, by the processes and the doctor', async () => {
    const distrusting = { REDIS_CA_FILE: makeAuthority(home, 'wrong').ca }
    expect(await doctor(distrusting)).toMatchObject([
      { code: 'redis_tls', state: 'fault', text: expect.stringContaining('is not trusted') },
    ])
    const started = stack.launch('worker', distrusting, { as: 'distrusting' })
    await started.ended
    expect([started.exitCode(), stack.logs()]).toEqual([
      2,
      expect.stringMatching(/certificate of Redis at 127\.0\.0\.1:\d+ is not trusted .*REDIS_CA_FILE/),
    ])
  })
}
