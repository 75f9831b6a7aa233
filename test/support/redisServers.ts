import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../../scripts/local/freePort.ts'
import { aclLine, findRedis } from '../../scripts/local/redis.ts'
import { type Service, startService } from '../../scripts/local/service.ts'
import { queueNames } from '../../src/capabilities.ts'
import { infoOf } from '../../src/platform/redis/redis.ts'
import { type RedisMode, redisRules, redisUsers, sentinelRules } from '../../src/platform/redis/redisUsers.ts'
import type { Authority } from './authority.ts'
import { waitFor } from './waitFor.ts'

/** One Redis, or one Sentinel. */
export interface RedisServer {
  port: number
  /** As an administrator; a command fails after a second. */
  admin: Redis
  freeze(): void
  kill(): void
  /** Continues it, or starts it again with its own configuration. */
  revive(): Promise<void>
  stop(): Promise<void>
}

/**
 * Several servers that fail over, behind TLS, with a user for each process and the rights that the
 * documentation names.
 */
export interface RedisSet {
  servers: readonly RedisServer[]
  /** Waits until all servers answer, and each replica has all of its primary's data. */
  inStep(): Promise<void>
  /** Settings of the processes, with the right authority. */
  env: Record<string, string>
  /** The server that takes writes for a key. */
  primaryOf(key: string): Promise<RedisServer>
  close(): Promise<void>
}

const password = 'redis-set-password'
/** What a URL must encode, and what appears to be encoded. */
const sentinelPassword = 'a%41/b@c:d'

interface SetOptions {
  home: string
  authority: Authority
}

async function startServer(
  { home, authority }: SetOptions,
  name: string,
  lines: readonly string[],
  sentinel = false,
): Promise<RedisServer> {
  const { command, env } = findRedis(() => {})
  const folder = join(home, name)
  mkdirSync(folder)
  const port = await freePort()
  const { cert, key } = authority.certificate(name, ['localhost', '127.0.0.1'])
  const config = join(folder, 'redis.conf')
  const text = [
    'port 0',
    `tls-port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `tls-cert-file ${cert}`,
    `tls-key-file ${key}`,
    `tls-ca-cert-file ${authority.ca}`,
    'tls-auth-clients no',
    'tls-replication yes',
    ...lines,
  ]
  writeFileSync(config, `${text.join('\n')}\n`)
  const ca = readFileSync(authority.ca)
  const admin = new Redis({
    host: '127.0.0.1',
    port,
    password,
    tls: { ca },
    commandTimeout: 1000,
    protocol: 2,
  })
  admin.on('error', () => {})
  const startAgain = () =>
    startService(name, command, [config, ...(sentinel ? ['--sentinel'] : [])], {
      cwd: folder,
      env: { ...process.env, ...env },
      stopSignal: 'SIGTERM',
      ready: async () => (await admin.ping()) === 'PONG',
      readyWithinMs: 30_000,
    })
  let service: Service | null = await startAgain()
  const signal = (name: NodeJS.Signals) => void (service && process.kill(service.pid, name))
  return {
    port,
    admin,
    freeze: () => signal('SIGSTOP'),
    kill() {
      signal('SIGKILL')
      service = null
    },
    async revive() {
      signal('SIGCONT')
      service ??= await startAgain()
    },
    async stop() {
      admin.disconnect()
      // A frozen process reacts to no other signal.
      signal('SIGCONT')
      await service?.stop()
    },
  }
}

/** The answer of the first server that gives one. */
async function anyAnswer<T>(servers: readonly RedisServer[], ask: (admin: Redis) => Promise<T>): Promise<T> {
  let last: unknown
  for (const { admin } of servers)
    try {
      return await ask(admin)
    } catch (error) {
      last = error
    }
  throw last
}

async function inStep(servers: readonly RedisServer[], primaries: number): Promise<void> {
  await waitFor('all servers to answer, with the replicas in step', async () => {
    const infos = await Promise.all(servers.map(async ({ admin }) => infoOf(await admin.info('replication'))))
    const replicas = infos.filter((info) => info.get('role') === 'slave')
    return (
      replicas.length === servers.length - primaries &&
      replicas.every((info) => info.get('master_link_status') === 'up')
    )
  })
}

/** Every server has the same users: a replica may become the primary. */
function dataLines({ home }: SetOptions, mode: RedisMode): string[] {
  const rules = redisRules(queueNames, 'cowry', mode)
  const file = join(home, 'users.acl')
  const users = [
    aclLine('default', password, ['~*', '&*', '+@all']),
    ...redisUsers.map((user) => aclLine(user, password, rules[user])),
  ]
  writeFileSync(file, `${users.join('\n')}\n`)
  return [
    `aclfile ${file}`,
    'masteruser default',
    `masterauth ${password}`,
    'maxmemory-policy noeviction',
    'save ""',
    'appendonly no',
  ]
}

const settings = ({ authority }: SetOptions, port: number) => ({
  ...Object.fromEntries(
    redisUsers.map((user) => [
      `${user.toUpperCase()}_REDIS_URL`,
      `rediss://${user}:${password}@127.0.0.1:${port}`,
    ]),
  ),
  REDIS_CA_FILE: authority.ca,
})

const closeAll = async (servers: readonly RedisServer[]) =>
  void (await Promise.all(servers.map((each) => each.stop())))

/** Three primaries, each with a replica. */
export async function startRedisCluster(options: SetOptions): Promise<RedisSet> {
  const lines = [
    ...dataLines(options, 'cluster'),
    'cluster-enabled yes',
    'tls-cluster yes',
    'cluster-node-timeout 1000',
    'repl-diskless-sync-delay 0',
  ]
  // By default 10,000 above the other port, where an outgoing connection may get it while a node is away.
  const busPorts = await Promise.all(Array.from({ length: 6 }, () => freePort()))
  const servers = await Promise.all(
    busPorts.map((port, index) => startServer(options, `node-${index}`, [...lines, `cluster-port ${port}`])),
  )
  const ids = await Promise.all(servers.map(({ admin }) => admin.cluster('MYID') as Promise<string>))
  const [first] = servers
  if (!first) throw new Error('no servers')
  const bounds = [0, 5461, 10923, 16384]
  for (const [index, { admin, port }] of servers.entries()) {
    if (index < 3)
      await admin.call(
        'CLUSTER',
        'ADDSLOTSRANGE',
        String(bounds[index]),
        String((bounds[index + 1] ?? 0) - 1),
      )
    await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
    if (index > 0)
      await first.admin.call('CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPorts[index]))
  }
  const info = async ({ admin }: RedisServer) => infoOf((await admin.cluster('INFO')) as string)
  await waitFor('all nodes to know each other', async () => {
    for (const each of servers) if ((await info(each)).get('cluster_known_nodes') !== '6') return false
    return true
  })
  for (const [index, { admin }] of servers.entries())
    if (index >= 3)
      await waitFor(
        'a replica',
        async () => (await admin.cluster('REPLICATE', ids[index - 3] ?? '')) === 'OK',
      )
  const settled = async () => {
    await inStep(servers, 3)
    await waitFor('the cluster to serve', async () =>
      (await Promise.all(servers.map(info))).every((each) => each.get('cluster_state') === 'ok'),
    )
  }
  await settled()
  return {
    servers,
    env: {
      ...settings(options, first.port),
      REDIS_CLUSTER_NODES: servers.map(({ port }) => `127.0.0.1:${port}`).join(','),
    },
    inStep: settled,
    async primaryOf(key) {
      const slot = await anyAnswer(servers, (admin) => admin.cluster('KEYSLOT', key))
      const ranges = (await anyAnswer(servers, (admin) => admin.cluster('SLOTS'))) as unknown as [
        number,
        number,
        [string, number],
      ][]
      const port = ranges.find(([from, to]) => slot >= from && slot <= to)?.[2][1]
      const found = servers.find((each) => each.port === port)
      if (!found) throw new Error(`no server has the slot of ${key}`)
      return found
    },
    close: () => closeAll(servers),
  }
}

const masterName = 'cowry-primary'

/** A primary with two replicas, and three sentinels, of which two must agree. */
export async function startRedisSentinels(options: SetOptions): Promise<RedisSet> {
  const lines = [...dataLines(options, 'sentinel'), 'repl-diskless-sync-delay 0']
  const primary = await startServer(options, 'server-0', lines)
  const replicas = await Promise.all(
    [1, 2].map((index) =>
      startServer(options, `server-${index}`, [...lines, `replicaof 127.0.0.1 ${primary.port}`]),
    ),
  )
  const data = [primary, ...replicas]
  await inStep(data, 1)
  const sentinels = await Promise.all(
    [0, 1, 2].map((index) => {
      const users = join(options.home, `sentinel-${index}.acl`)
      const ofSentinel = [
        aclLine('default', password, ['~*', '&*', '+@all']),
        aclLine('cowry', sentinelPassword, sentinelRules),
      ]
      writeFileSync(users, `${ofSentinel.join('\n')}\n`)
      return startServer(
        options,
        `sentinel-${index}`,
        [
          `aclfile ${users}`,
          `sentinel monitor ${masterName} 127.0.0.1 ${primary.port} 2`,
          `sentinel auth-user ${masterName} default`,
          `sentinel auth-pass ${masterName} ${password}`,
          `sentinel sentinel-user default`,
          `sentinel sentinel-pass ${password}`,
          `sentinel down-after-milliseconds ${masterName} 1000`,
          `sentinel failover-timeout ${masterName} 4000`,
        ],
        true,
      )
    }),
  )
  await waitFor('the sentinels to know each other and both replicas', async () => {
    for (const { admin } of sentinels) {
      const [entry] = (await admin.call('SENTINEL', 'MASTERS')) as string[][]
      const known = (field: string) => entry?.[entry.indexOf(field) + 1]
      if (known('num-other-sentinels') !== '2' || known('num-slaves') !== '2') return false
    }
    return true
  })
  return {
    servers: [...data, ...sentinels],
    env: {
      ...settings(options, primary.port),
      REDIS_SENTINELS: sentinels.map(({ port }) => `127.0.0.1:${port}`).join(','),
      REDIS_SENTINEL_MASTER: masterName,
      REDIS_SENTINEL_USER: 'cowry',
      REDIS_SENTINEL_PASSWORD: sentinelPassword,
    },
    inStep: () => inStep(data, 1),
    async primaryOf() {
      const [, port] = (await anyAnswer(sentinels, (admin) =>
        admin.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName),
      )) as [string, string]
      const found = data.find((each) => each.port === Number(port))
      if (!found) throw new Error(`no server listens on ${port}`)
      return found
    },
    close: () => closeAll([...sentinels, ...data]),
  }
}
