import { z } from 'zod'
import { canonicalNetwork } from './addresses.ts'
import { settingOf } from './renamedSettings.ts'
import { Secret } from './secrets.ts'

const port = z.coerce.number().int().min(0).max(65535)
const positive = z.coerce.number().int().positive()
const url = (protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  })
const postgres = url(['postgres:', 'postgresql:'])
const redis = url(['redis:', 'rediss:'])
const secret = (bytes: number) =>
  z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === bytes, { message: `must be ${bytes} bytes in base64 (openssl rand -base64 ${bytes})` })
    .transform((text) => new Secret(text))

/** One or more keys of 32 bytes in base64, separated by commas. */
const publicKeys = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .refine((keys) => keys.every((each) => Buffer.from(each, 'base64').length === 32), {
    message: 'must be keys of 32 bytes in base64, separated by commas',
  })

/** Addresses and networks in canonical form, separated by commas. */
const networks = z.string().transform((text, context) =>
  text.split(',').flatMap((each) => {
    if (each.trim() === '') return []
    const outcome = canonicalNetwork(each)
    if ('network' in outcome) return [outcome.network]
    context.addIssue({ code: 'custom', message: `has an entry that ${outcome.problem}` })
    return []
  }),
)

/**
 * Names, addresses and networks, separated by commas. A mistyped network must not pass as a host name that does not
 * exist.
 */
const hosts = z.string().transform((text, context) =>
  text.split(',').flatMap((each) => {
    const entry = each.trim()
    const outcome = canonicalNetwork(entry)
    if (!('network' in outcome) && /[/:]/.test(entry)) context.addIssue({ code: 'custom', message: `has an entry that ${outcome.problem}` })
    return entry === '' ? [] : [entry]
  }),
)

/** The wait before each attempt; the first attempt is immediate. */
const waits = z
  .string()
  .transform((text) => text.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each))))
  .refine((seconds) => seconds[0] === 0 && seconds.every((each) => Number.isSafeInteger(each) && each >= 0), {
    message: 'must be whole seconds, separated by commas, starting with 0',
  })

/** The wait after each failed attempt. */
const waitsAfter = z
  .string()
  .transform((text) => text.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each))))
  .refine((seconds) => seconds.every((each) => Number.isSafeInteger(each) && each > 0), { message: 'must be whole seconds, separated by commas' })

/** Every variable of the processes; `.env.example` lists the same. A process reads only those it needs. */
const variables = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  DATABASE_URL: postgres,
  DATABASE_DIRECT_URL: postgres.optional(),
  API_DATABASE_URL: postgres.optional(),
  WORKER_DATABASE_URL: postgres.optional(),
  INDEXER_DATABASE_URL: postgres.optional(),
  TREASURY_DATABASE_URL: postgres.optional(),
  DATABASE_POOL: positive.default(10),
  DATABASE_STATEMENT_MS: positive.optional(),
  DATABASE_WAIT_MS: positive.optional(),
  REDIS_URL: redis,
  API_REDIS_URL: redis.optional(),
  WORKER_REDIS_URL: redis.optional(),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[\w-]+$/)
    .default('cowry'),
  PORT: port.default(3000),
  API_HOST: z.string().default('0.0.0.0'),
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
  RATE_LIMIT_BUSINESS: positive.default(6000),
  RATE_LIMIT_ADDRESS: positive.default(300),
  BULK_CALLS_AT_ONCE: positive.default(2),
  CAP_MONITORED_ADDRESSES: positive.default(100_000),
  CAP_OPEN_SESSIONS: positive.default(10_000),
  CAP_ENDPOINTS_PER_HOST: positive.default(10),
  CAP_DELIVERIES_PER_HOST: positive.default(16),
  CAP_IMPORT_BLOCKS_PER_DAY: positive.default(1_000_000),
  CAP_REPLAYS_PER_DAY: positive.default(200_000),
  CAP_NODE_QUESTIONS_PER_DAY: positive.default(100_000),
  IDEMPOTENCY_DAYS: positive.default(30),
  REQUIRE_SECOND_FACTOR: z.enum(['none', 'operators', 'owners']).default('none'),
  SIGNING_KEY_DAYS: positive.default(30),
  APP_KEY: secret(32),
  SEED_KEY: secret(32),
  API_INTENT_KEY: secret(32),
  WORKER_INTENT_KEY: secret(32),
  API_INTENT_PUBLIC_KEYS: publicKeys,
  WORKER_INTENT_PUBLIC_KEYS: publicKeys,
  POOL_TARGET: positive.default(500),
  POOL_LOW_WATER: positive.default(200),
  YELLOWCARD_URL: url(['http:', 'https:']).default('https://api.yellowcard.io'),
  YELLOWCARD_API_KEY: z.string().min(1),
  YELLOWCARD_SECRET_KEY: z
    .string()
    .min(1)
    .transform((text) => new Secret(text)),
  RATE_MAX_AGE_SECONDS: positive.default(900),
  QUOTE_SECONDS: positive.default(120),
  TXMGR_RECONCILE_MS: positive.optional(),
  TXMGR_BUMP_AFTER_MS: positive.optional(),
  TXMGR_UNMINABLE_MS: positive.default(60_000),
  RELAY_POLL_MS: positive.default(1000),
  RELAY_RETRY_MS: positive.default(15_000),
  WORKER_CONCURRENCY: positive.default(16),
  WORKER_STALLED_MS: positive.default(15_000),
  WEBHOOK_TIMEOUT_MS: positive.default(15_000),
  WEBHOOK_IN_FLIGHT: positive.default(8),
  WEBHOOK_ENDPOINTS_AT_ONCE: positive.default(200),
  WEBHOOK_RETRY_SECONDS: waits.default([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]),
  WEBHOOK_PAUSE_AFTER_SECONDS: positive.default(259_200),
  WEBHOOK_RETENTION_DAYS: positive.default(90),
  WEBHOOK_ALLOW_HOSTS: hosts.default([]),
  WEBHOOK_PROXY_URL: url(['http:']).optional(),
  SMTP_URL: url(['smtp:', 'smtps:'])
    .transform((text) => new Secret(text))
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>@\r\n]+ <)?[^\s<>@]+@[^\s<>@]+>?$/, { message: 'must be an address: pay@example.com, or Name <pay@example.com>' })
    .optional(),
  MAIL_RETRY_SECONDS: waitsAfter.default([60, 120, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 57_600]),
  INDEXER_POLL_MS: positive.default(2000),
  INDEXER_CROSS_CHECK_MS: positive.default(30_000),
  INDEXER_BALANCES_MS: positive.default(60_000),
  MONITORING_IMPORT_BLOCKS: positive.default(100_000),
  RPC_TIMEOUT_MS: positive.default(10_000),
} as const

type Variables = typeof variables
export type ConfigName = keyof Variables
export type Config<N extends ConfigName> = { [K in N]: z.output<Variables[K]> }

/** Thrown when the environment is unusable; its message has one line per mistake. */
export class ConfigError extends Error {}

/** A part of the program with its own credentials, also if several share a process. */
export type Part = 'api' | 'worker' | 'indexer' | 'treasury'

/**
 * The environment of one part: `API_DATABASE_URL` replaces `DATABASE_URL` for the api; the same holds for each part and
 * for Redis. The direct address of the database is then used with the part's credentials.
 */
function environmentOf(part: Part, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const own = (name: string) => env[`${part.toUpperCase()}_${name}`] || undefined
  const [database, redis] = [own('DATABASE_URL'), own('REDIS_URL')]
  return {
    ...env,
    ...(database && { DATABASE_URL: database, DATABASE_DIRECT_URL: withCredentialsOf(database, env.DATABASE_DIRECT_URL) }),
    ...(redis && { REDIS_URL: redis }),
  }
}

/** `readConfig` with the environment of one part. */
export const readConfigOf = <const N extends ConfigName>(part: Part, names: readonly N[], env: NodeJS.ProcessEnv = process.env): Config<N> =>
  readConfig(names, environmentOf(part, env))

function withCredentialsOf(own: string, address: string | undefined): string | undefined {
  if (!address || !URL.canParse(address) || !URL.canParse(own)) return address
  const { username, password } = new URL(own)
  return Object.assign(new URL(address), { username, password }).href
}

/**
 * Reads the named variables from the environment.
 * @throws ConfigError with every mistake at once
 */
export function readConfig<const N extends ConfigName>(names: readonly N[], env: NodeJS.ProcessEnv = process.env): Config<N> {
  const mistakes: string[] = []
  const config: Record<string, unknown> = {}
  for (const name of names) {
    const given = settingOf(env, name)
    const result = variables[name].safeParse(given)
    if (result.success) config[name] = result.data
    else if (given === undefined) mistakes.push(`${name} is not set`)
    else mistakes.push(`${name} ${result.error.issues.map((issue) => issue.message).join(', ')}`)
  }
  mistakes.push(...tooShortRetention(config))
  if (mistakes.length > 0) throw new ConfigError(`The configuration cannot be used:\n${mistakes.map((m) => `  - ${m}`).join('\n')}`)
  return config as Config<N>
}

/**
 * Deliveries still retried, or waiting for the owner of a paused endpoint, must not be dropped; the owner has a week
 * more to replay them.
 */
function tooShortRetention(config: Partial<Config<ConfigName>>): string[] {
  const { WEBHOOK_RETRY_SECONDS: waits, WEBHOOK_PAUSE_AFTER_SECONDS: pauseAfter, WEBHOOK_RETENTION_DAYS: kept } = config
  if (!waits || pauseAfter === undefined || kept === undefined) return []
  // Jitter adds up to a fifth to each wait.
  const min = Math.ceil((waits.reduce((sum, wait) => sum + wait, 0) * 1.2 + pauseAfter) / 86_400) + 7
  return kept < min ? [`WEBHOOK_RETENTION_DAYS must be ${min} or more: WEBHOOK_RETRY_SECONDS, WEBHOOK_PAUSE_AFTER_SECONDS and a week`] : []
}

export const configNames = Object.keys(variables) as ConfigName[]
