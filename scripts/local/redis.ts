import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { queueNames } from '../../src/capabilities.ts'
import { type RedisUser, redisRules, redisUsers } from '../../src/platform/redis/redisUsers.ts'
import { unpackFromDebian } from './debianPackages.ts'
import { freePort } from './freePort.ts'
import { endLeftover, rememberService, type Service, startService } from './service.ts'

export interface LocalRedis extends Service {
  /** For an administrator with all rights, not for our processes. */
  url: string
  /** For each process, with its own user. */
  urls: Record<RedisUser, string>
  /** The folder of its data and its users' passwords. */
  home: string
}

/**
 * Starts a Redis with its data under `home`. Users and passwords are made at the first start and kept there.
 */
export async function startRedis(options: {
  home: string
  port?: number
  durable: boolean
  /** Key prefixes that the processes may use. */
  prefixes?: readonly string[]
  say?: (text: string) => void
}): Promise<LocalRedis> {
  const server = findRedis(options.say ?? (() => {}))
  const folder = join(options.home, 'redis')
  mkdirSync(folder, { recursive: true })
  const pidFile = join(folder, 'redis.pid')
  await endLeftover(pidFile, 'SIGTERM')
  const port = await freePort(options.port)
  const passwords = passwordsOf(folder)
  const urlOf = (user: string) => `redis://${user}:${passwords[user]}@127.0.0.1:${port}`
  const url = urlOf('default')
  const users = join(folder, 'users.acl')
  writeFileSync(users, aclOf(passwords, options.prefixes ?? ['cowry']), { mode: 0o600 })
  const service = await startService(
    'Redis',
    server.command,
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--maxmemory-policy',
      'noeviction',
      '--aclfile',
      users,
      '--save',
      '',
      '--appendonly',
      options.durable ? 'yes' : 'no',
    ],
    {
      cwd: folder,
      env: { ...process.env, ...server.env },
      stopSignal: 'SIGTERM',
      ready: async () => {
        const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
        client.on('error', () => {})
        try {
          await client.connect()
          return (await client.ping()) === 'PONG'
        } finally {
          client.disconnect()
        }
      },
    },
  )
  // Redis rewrites its command line: only the address remains of the given one.
  rememberService(pidFile, service, `redis-server 127.0.0.1:${port}`)
  return {
    ...service,
    url,
    home: options.home,
    urls: { api: urlOf('api'), worker: urlOf('worker'), verification: urlOf('verification') },
  }
}

function passwordsOf(folder: string): Record<string, string> {
  const file = join(folder, 'passwords.json')
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  // An older version had fewer users.
  const made = Object.fromEntries(
    ['default', ...redisUsers].map((user) => [user, known[user] ?? randomBytes(24).toString('hex')]),
  )
  writeFileSync(file, JSON.stringify(made), { mode: 0o600 })
  return made
}

/** A user in an ACL file, which has a hash of the password. */
export const aclLine = (user: string, password: string, rules: readonly string[]): string =>
  ['user', user, 'on', `#${createHash('sha256').update(password).digest('hex')}`, ...rules].join(' ')

/** The file contains hashes of the passwords. */
function aclOf(passwords: Record<string, string>, prefixes: readonly string[]): string {
  const line = (user: string, rules: readonly string[]) => aclLine(user, passwords[user] ?? '', rules)
  const rulesOf = (user: RedisUser) => [
    ...new Set(prefixes.flatMap((prefix) => redisRules(queueNames, prefix)[user])),
  ]
  return `${[line('default', ['~*', '&*', '+@all']), ...redisUsers.map((user) => line(user, rulesOf(user)))].join('\n')}\n`
}

/** How the program is started. */
export interface RedisServer {
  command: string
  env: Record<string, string>
}

const unpacked = join(import.meta.dirname, '../../node_modules/.cache/cowry/redis')

/** The machine's own Redis, or Debian's package, downloaded and unpacked without installing. */
export function findRedis(say: (text: string) => void): RedisServer {
  if (spawnSync('redis-server', ['--version']).status === 0) return { command: 'redis-server', env: {} }
  const debian = unpackedIn(unpacked) ?? fromDebian(say)
  if (debian) return debian
  throw new Error(
    [
      'Cowry needs Redis, which this machine does not have. Use one of these:',
      '  Debian, Ubuntu   apt-get install redis-server',
      '  macOS            brew install redis',
      '  Docker           docker run -d -p 6379:6379 redis:8, then REDIS_URL=redis://127.0.0.1:6379 npm start',
      '  any other        set REDIS_URL',
    ].join('\n'),
  )
}

function unpackedIn(folder: string): RedisServer | null {
  const command = join(folder, 'root/usr/bin/redis-server')
  const libraries = join(folder, 'root/usr/lib')
  if (!existsSync(command) || !existsSync(libraries)) return null
  const folders = readdirSync(libraries).map((name) => join(libraries, name))
  const server = { command, env: { LD_LIBRARY_PATH: folders.join(':') } }
  return spawnSync(command, ['--version'], { env: { ...process.env, ...server.env } }).status === 0
    ? server
    : null
}

function fromDebian(say: (text: string) => void): RedisServer | null {
  if (spawnSync('apt-get', ['--version']).status !== 0) return null
  const isThere = () => unpackedIn(unpacked) !== null
  say('Fetching Redis from Debian (once; 7 MB) …')
  unpackFromDebian(unpacked, ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1'], { isThere, say })
  return unpackedIn(unpacked)
}
