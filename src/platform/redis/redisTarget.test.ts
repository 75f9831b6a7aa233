import { expect, test } from '@jest/globals'
import { Cluster, type Redis } from 'ioredis'
import { ConfigError, readConfig } from '../config.ts'
import { connectRedis } from './redis.ts'
import { redisMode, redisServers, redisVariables } from './redisTarget.ts'
import { queuePrefix, redisRules } from './redisUsers.ts'

const url = 'redis://worker:pw@redis:6379'
const read = (env: Record<string, string>) => readConfig(redisVariables, { REDIS_URL: url, ...env })

test('a single Redis is the one of the URL, and its keys have no hash tag', () => {
  const config = read({ REDIS_CLUSTER_NODES: '', REDIS_SENTINELS: '' })
  expect([redisMode(config), redisServers(config)]).toEqual(['single', [{ host: 'redis', port: 6379 }]])
  expect(queuePrefix('cowry', 'payouts', false)).toBe('cowry')
  expect(redisRules(['payouts']).worker).toContain('~cowry:payouts:*')
})

test('members of a cluster and sentinels are host:port, with the default port of each', () => {
  const cluster = read({ REDIS_CLUSTER_NODES: 'a:7000, b,[::1]:7001' })
  expect([redisMode(cluster), redisServers(cluster)]).toEqual([
    'cluster',
    [
      { host: 'a', port: 7000 },
      { host: 'b', port: 6379 },
      { host: '::1', port: 7001 },
    ],
  ])
  const sentinel = read({ REDIS_SENTINELS: 'a,b:26380', REDIS_SENTINEL_MASTER: 'cowry' })
  expect([redisMode(sentinel), redisServers(sentinel)]).toEqual([
    'sentinel',
    [
      { host: 'a', port: 26379 },
      { host: 'b', port: 26380 },
    ],
  ])
})

test('where Redis fails over, a silent primary is given up, and one that takes no writes any more is left, also where a script says so', () => {
  const habits = { lazyConnect: true, maxRetriesPerRequest: 0 }
  const cluster = connectRedis(read({ REDIS_CLUSTER_NODES: 'a' }), habits)
  const sentinel = connectRedis(
    read({ REDIS_SENTINELS: 'a', REDIS_SENTINEL_MASTER: 'cowry' }),
    habits,
  ) as Redis
  const silent = [
    cluster instanceof Cluster && cluster.options.redisOptions?.socketTimeout,
    sentinel.options.socketTimeout,
  ]
  expect(silent).toEqual([12_000, 12_000])
  const answers = [
    "READONLY You can't write against a read only replica.",
    "ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write against a read only replica.",
    'ERR another',
  ]
  expect(answers.map((message) => sentinel.options.reconnectOnError?.(new Error(message)))).toEqual([
    2,
    2,
    false,
  ])
  for (const each of [cluster, sentinel]) each.disconnect()
})

test('in a cluster each queue has a hash slot of its own, for keys and rights alike', () => {
  expect(queuePrefix('cowry', 'payouts', true)).toBe('{cowry:payouts}')
  expect(redisRules(['payouts'], 'cowry', 'cluster').worker).toEqual(
    expect.arrayContaining(['~{cowry:payouts}:payouts:*', '+cluster|slots', '+cluster|info']),
  )
  expect(redisRules(['payouts'], 'cowry', 'cluster').api).toEqual(
    expect.arrayContaining(['~cowry:limit:*', '+cluster|slots']),
  )
})

test.each([
  [{ REDIS_CLUSTER_NODES: 'a b' }, 'REDIS_CLUSTER_NODES has an entry that is not host:port'],
  [{ REDIS_CLUSTER_NODES: 'redis://a:7000' }, 'an entry that is not host:port'],
  [{ REDIS_CLUSTER_NODES: ',' }, 'REDIS_CLUSTER_NODES names no server'],
  [{ REDIS_CLUSTER_NODES: 'a', REDIS_SENTINELS: 'b', REDIS_SENTINEL_MASTER: 'c' }, 'exclude each other'],
  [{ REDIS_SENTINELS: 'a' }, 'REDIS_SENTINEL_MASTER is not set'],
  [{ REDIS_SENTINEL_MASTER: 'a' }, 'REDIS_SENTINELS is not set'],
  [{ REDIS_CLUSTER_NODES: 'a', REDIS_URL: 'redis://a/1' }, 'names the database 1'],
  [
    { REDIS_CA_FILE: '/nowhere.pem' },
    'REDIS_CA_FILE must name a certificate in PEM that this process can read (ENOENT)',
  ],
  [{ REDIS_CA_FILE: import.meta.filename }, 'must name a certificate in PEM'],
])('%j is refused', (env, sentence) => {
  expect(() => read(env)).toThrow(ConfigError)
  expect(() => read(env)).toThrow(sentence)
})
