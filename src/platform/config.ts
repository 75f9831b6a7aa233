import { z } from 'zod'
import { BaseError } from './errors.ts'
import type { RedisConfig } from './redis/redisTarget.ts'
import { settingOf } from './renamedSettings.ts'
import {
  certificates,
  networks,
  port,
  positive,
  type Settings,
  type SettingValues,
  secret,
  servers,
  url,
} from './settings.ts'

const postgres = url(['postgres:', 'postgresql:'])
const redis = url(['redis:', 'rediss:'])

/** More would wait for the one that receives. */
const maxThreads = 16

/**
 * Variables of the processes; those of capabilities are with each (`settings.ts`). `.env.example` lists them
 * all. A process reads only those it needs.
 */
const variables = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  DATABASE_URL: postgres,
  DATABASE_DIRECT_URL: postgres.optional(),
  RESTORED_DATABASE_URL: postgres.optional(),
  API_DATABASE_URL: postgres.optional(),
  WORKER_DATABASE_URL: postgres.optional(),
  INDEXER_DATABASE_URL: postgres.optional(),
  TREASURY_DATABASE_URL: postgres.optional(),
  VERIFICATION_DATABASE_URL: postgres.optional(),
  DATABASE_CA_FILE: certificates.optional(),
  DATABASE_REPLICA_URL: postgres.optional(),
  DATABASE_REPLICA_MAX_LAG_MS: positive.default(1000),
  DATABASE_POOL: positive.default(10),
  DATABASE_STATEMENT_MS: positive.optional(),
  DATABASE_WAIT_MS: positive.optional(),
  REDIS_URL: redis,
  API_REDIS_URL: redis.optional(),
  WORKER_REDIS_URL: redis.optional(),
  VERIFICATION_REDIS_URL: redis.optional(),
  REDIS_CA_FILE: certificates.optional(),
  REDIS_CLUSTER_NODES: servers(6379).optional(),
  REDIS_SENTINELS: servers(26379).optional(),
  REDIS_SENTINEL_MASTER: z.string().optional(),
  REDIS_SENTINEL_USER: z.string().optional(),
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[\w-]+$/)
    .default('cowry'),
  PORT: port.default(3000),
  API_HOST: z.string().default('0.0.0.0'),
  TRACE_STATEMENT_MS: positive.default(50),
  METRICS_PORT: port.default(0),
  METRICS_HOST: z.string().default('127.0.0.1'),
  VALIDATE_RESPONSES: z.enum(['count', 'enforce']).default('count'),
  SHUTDOWN_SECONDS: positive.default(20),
  BASE_URL: url(['http:', 'https:']).default('http://localhost:3000'),
  ENVIRONMENT: z.enum(['test', 'live']).default('live'),
  TRUSTED_PROXIES: networks.default([]),
  API_CONNECTIONS: positive.default(2000),
  API_CONNECTIONS_PER_NETWORK: positive.default(200),
  API_BODY_BYTES: positive.default(32 * 2 ** 20),
  API_HEADERS_SECONDS: positive.default(10),
  API_REQUEST_SECONDS: positive.default(30),
  API_KEEP_ALIVE_SECONDS: positive.default(20),
  // With SHUTDOWN_SECONDS below `stop_grace_period` and `terminationGracePeriodSeconds`.
  API_DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(5),
  API_STREAMS: positive.default(1000),
  API_STREAMS_PER_BUSINESS: positive.optional(),
  API_STREAMS_PER_KEY: positive.default(20),
  // Requests a minute.
  RATE_LIMIT_BUSINESS: positive.default(6000),
  RATE_LIMIT_ADDRESS: positive.default(300),
  CAP_OPEN_SESSIONS: positive.default(10_000),
  CAP_ENDPOINTS_PER_HOST: positive.default(10),
  CAP_IMPORT_BLOCKS_PER_DAY: positive.default(1_000_000),
  CAP_REPLAYS_PER_DAY: positive.default(200_000),
  CAP_NODE_QUESTIONS_PER_DAY: positive.default(100_000),
  IDEMPOTENCY_DAYS: positive.default(30),
  AUDIT_RETENTION_DAYS: positive.min(365).optional(),
  APP_KEY: secret(32),
  APP_KEY_PREVIOUS: secret(32).optional(),
  VERIFY_KEY: secret(32),
  VERIFY_KEY_PREVIOUS: secret(32).optional(),
  VERIFY_PORT: port.default(3100),
  VERIFY_UPLOADS: z.string().min(1).optional(),
  VERIFY_UPLOADS_PER_MINUTE: positive.default(300),
  VERIFY_UNUSED_BYTES: positive.default(5 * 2 ** 30),
  VERIFY_RETENTION_DAYS: positive.default(1825),
  VERIFY_BASE_URL: url(['http:', 'https:']).default('http://localhost:3100'),
  RELAY_POLL_MS: positive.default(1000),
  RELAY_RETRY_MS: positive.default(15_000),
  WORKER_CONCURRENCY: positive.default(16),
  WORKER_STALLED_MS: positive.default(15_000),
  INDEXER_POLL_MS: positive.default(2000),
  INDEXER_CROSS_CHECK_MS: positive.default(30_000),
  INDEXER_READ_BYTES: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true'),
  INDEXER_THREADS: z.coerce.number().int().min(0).max(maxThreads).optional(),
  INDEXER_BALANCES_MS: positive.default(60_000),
  RPC_TIMEOUT_MS: positive.default(10_000),
} as const

type Variables = typeof variables
export type ConfigName = keyof Variables
export type Config<N extends ConfigName> = { [K in N]: z.output<Variables[K]> }

/** The environment is unusable. The message has one line per mistake. */
export class ConfigError extends BaseError {
  readonly code = 'config_unusable'
  readonly retry = 'no'
  /** A sentence each. */
  readonly mistakes: readonly string[]
  constructor(message: string, mistakes: readonly string[] = [message]) {
    super(message)
    this.mistakes = mistakes
  }
}

/** A part of the program with its own credentials, also if several share a process. */
export type Part = 'api' | 'worker' | 'indexer' | 'treasury' | 'verification'

/**
 * The environment of one part: `API_DATABASE_URL` replaces `DATABASE_URL` for the api; the same holds for
 * each part and for Redis. The direct address of the database, and that of its replica, are then used with
 * the part's credentials.
 */
function environmentOf(part: Part, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const own = (name: string) => env[`${part.toUpperCase()}_${name}`] || undefined
  const [database, redis] = [own('DATABASE_URL'), own('REDIS_URL')]
  return {
    ...env,
    ...(database && {
      DATABASE_URL: database,
      DATABASE_DIRECT_URL: withCredentialsOf(database, env.DATABASE_DIRECT_URL),
      DATABASE_REPLICA_URL: withCredentialsOf(database, env.DATABASE_REPLICA_URL),
    }),
    ...(redis && { REDIS_URL: redis }),
  }
}

/**
 * `readConfig` with the environment of one part.
 * @param also checked with them, so that every mistake is reported at once
 */
export const readConfigOf = <const N extends ConfigName>(
  part: Part,
  names: readonly N[],
  env: NodeJS.ProcessEnv = process.env,
  also: readonly Settings[] = [],
): Config<N> => read<Config<N>>([chosen(names), ...also], environmentOf(part, env))

/** Reads a capability's settings in one part. @throws ConfigError with every mistake at once */
export const readSettings = <S extends Settings>(
  part: Part,
  settings: S,
  env: NodeJS.ProcessEnv = process.env,
): SettingValues<S> => read<SettingValues<S>>([settings], environmentOf(part, env))

function withCredentialsOf(own: string, address: string | undefined): string | undefined {
  if (!address || !URL.canParse(address) || !URL.canParse(own)) return address
  const { username, password } = new URL(own)
  return Object.assign(new URL(address), { username, password }).href
}

/**
 * Reads the named variables from the environment.
 * @throws ConfigError with every mistake at once
 */
export const readConfig = <const N extends ConfigName>(
  names: readonly N[],
  env: NodeJS.ProcessEnv = process.env,
): Config<N> => read<Config<N>>([chosen(names)], env)

const chosen = (names: readonly ConfigName[]): Settings => ({
  variables: Object.fromEntries(names.map((name) => [name, variables[name]])),
  mistakes: redisMistakes,
})

function read<Values>(settings: readonly Settings[], environment: NodeJS.ProcessEnv): Values {
  const env = withDatabaseCa(environment)
  const values: Record<string, unknown> = {}
  const mistakes: string[] = []
  for (const [name, form] of Object.entries(
    Object.assign({}, ...settings.map((each) => each.variables)) as Settings['variables'],
  )) {
    const given = settingOf(env, name)
    const result = form.safeParse(given)
    if (result.success) values[name] = result.data
    else if (given === undefined) mistakes.push(`${name} is not set`)
    else mistakes.push(`${name} ${result.error.issues.map((issue) => issue.message).join(', ')}`)
  }
  mistakes.push(...settings.flatMap((each) => each.mistakes?.(values) ?? []))
  if (mistakes.length > 0)
    throw new ConfigError(
      `The configuration cannot be used:\n${mistakes.map((m) => `  - ${m}`).join('\n')}`,
      mistakes,
    )
  return values as Values
}

const databaseUrls = /^([A-Z]+_)?DATABASE_((DIRECT|REPLICA)_)?URL$/

/**
 * With `DATABASE_CA_FILE` every URL of the database requires a certificate of that authority, in the terms of
 * libpq.
 */
export function withDatabaseCa(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = env.DATABASE_CA_FILE
  if (!file) return env
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value && databaseUrls.test(name) && URL.canParse(value) ? withCa(value, file) : value,
    ]),
  )
}

function withCa(url: string, file: string): string {
  const checked = new URL(url)
  checked.searchParams.set('sslmode', 'verify-full')
  checked.searchParams.set('sslrootcert', file)
  return checked.href
}

/** Mistakes that only several settings together show. */
function redisMistakes(values: Readonly<Record<string, unknown>>): string[] {
  const config = values as Partial<RedisConfig>
  if (config.REDIS_URL === undefined) return []
  const mistakes: string[] = []
  const { protocol, pathname } = new URL(config.REDIS_URL)
  if (config.REDIS_CA_FILE && protocol !== 'rediss:')
    mistakes.push(
      'REDIS_CA_FILE is set, but REDIS_URL starts with redis://, which is without TLS: use rediss://',
    )
  if (config.REDIS_CLUSTER_NODES && config.REDIS_SENTINELS)
    mistakes.push('REDIS_CLUSTER_NODES and REDIS_SENTINELS exclude each other: set one')
  if (config.REDIS_CLUSTER_NODES?.length === 0) mistakes.push('REDIS_CLUSTER_NODES names no server')
  if (config.REDIS_SENTINELS?.length === 0) mistakes.push('REDIS_SENTINELS names no server')
  if (config.REDIS_SENTINELS && !config.REDIS_SENTINEL_MASTER)
    mistakes.push('REDIS_SENTINEL_MASTER is not set: it is the name by which the sentinels know the primary')
  if (config.REDIS_SENTINEL_MASTER && !config.REDIS_SENTINELS)
    mistakes.push('REDIS_SENTINELS is not set, but REDIS_SENTINEL_MASTER is')
  if (config.REDIS_CLUSTER_NODES && !['', '/', '/0'].includes(pathname))
    mistakes.push(`REDIS_URL names the database ${pathname.slice(1)}: a Redis Cluster has only 0`)
  return mistakes
}

export const configNames = Object.keys(variables) as ConfigName[]
