import { z } from 'zod'
import { Secret } from './secrets.ts'

const port = z.coerce.number().int().min(0).max(65535)
const positive = z.coerce.number().int().positive()
const url = (protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  })
const secret = (bytes: number) =>
  z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === bytes, { message: `must be ${bytes} bytes in base64 (openssl rand -base64 ${bytes})` })
    .transform((text) => new Secret(text))

/** Every variable the processes understand; `.env.example` lists the same. A process picks what it needs. */
const variables = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  DATABASE_URL: url(['postgres:', 'postgresql:']),
  DATABASE_DIRECT_URL: url(['postgres:', 'postgresql:']).optional(),
  DATABASE_POOL: positive.default(10),
  REDIS_URL: url(['redis:', 'rediss:']),
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
  APP_KEY: secret(32),
  SEED_KEY: secret(32),
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
  RELAY_POLL_MS: positive.default(1000),
  RELAY_RETRY_MS: positive.default(15_000),
  WORKER_CONCURRENCY: positive.default(16),
  WORKER_STALLED_MS: positive.default(15_000),
  WEBHOOK_TIMEOUT_MS: positive.default(15_000),
  WEBHOOK_IN_FLIGHT: positive.default(8),
  WEBHOOK_ENDPOINTS_AT_ONCE: positive.default(200),
  INDEXER_POLL_MS: positive.default(2000),
  INDEXER_WITNESS_MS: positive.default(30_000),
  INDEXER_BALANCES_MS: positive.default(60_000),
  RPC_TIMEOUT_MS: positive.default(10_000),
} as const

type Variables = typeof variables
export type ConfigName = keyof Variables
export type Config<N extends ConfigName> = { [K in N]: z.output<Variables[K]> }

/** Thrown when the environment cannot be used; its message has one line for each mistake. */
export class ConfigError extends Error {}

/**
 * Reads the named variables from the environment.
 * @throws ConfigError with every mistake at once, never only the first.
 */
export function readConfig<const N extends ConfigName>(names: readonly N[], env: NodeJS.ProcessEnv = process.env): Config<N> {
  const mistakes: string[] = []
  const config: Record<string, unknown> = {}
  for (const name of names) {
    const given = env[name] === '' ? undefined : env[name]
    const result = variables[name].safeParse(given)
    if (result.success) config[name] = result.data
    else if (given === undefined) mistakes.push(`${name} is not set`)
    else mistakes.push(`${name} ${result.error.issues.map((issue) => issue.message).join(', ')}`)
  }
  if (mistakes.length > 0) throw new ConfigError(`The configuration cannot be used:\n${mistakes.map((m) => `  - ${m}`).join('\n')}`)
  return config as Config<N>
}

export const configNames = Object.keys(variables) as ConfigName[]
