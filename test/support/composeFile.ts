import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export const root = join(import.meta.dirname, '../..')
export const read = (file: string) => readFileSync(join(root, file), 'utf8')

export interface Service {
  image: string
  build?: string
  command?: string[]
  environment?: Record<string, string>
  env_file?: unknown
  volumes?: string[]
  ports?: string[]
  deploy?: { replicas: string }
  depends_on?: Record<string, { condition: string }>
  networks?: string[]
  healthcheck?: { test?: string[] }
  stop_grace_period?: string
  /** Set for the operator's commands. */
  profiles?: string[]
  [key: string]: unknown
}

export const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, null>
  networks: Record<string, { internal?: boolean }>
}
/** The services that run a program of Cowry all the time. */
export const own = Object.entries(compose.services)
  .filter(([, service]) => service.build === '.' && service.profiles === undefined)
  .map(([name, service]) => ({ name, service }))

/** An operator's choice of chains, and their nodes. */
export const switchedOn = ['ethereum', 'polygon']
export const nodes = Object.fromEntries(
  switchedOn.map((chain) => [`${chain.toUpperCase()}_RPC_URLS`, 'https://one.example,https://two.example']),
)

/** The settings of `.env` before the first start. */
export const filledIn: Record<string, string> = {
  POSTGRES_PASSWORD: 'abc123',
  APP_KEY: Buffer.alloc(32, 1).toString('base64'),
  SEED_KEY: Buffer.alloc(32, 2).toString('base64'),
  API_INTENT_KEY: Buffer.alloc(32, 3).toString('base64'),
  WORKER_INTENT_KEY: Buffer.alloc(32, 4).toString('base64'),
  API_INTENT_PUBLIC_KEYS: Buffer.alloc(32, 5).toString('base64'),
  WORKER_INTENT_PUBLIC_KEYS: Buffer.alloc(32, 6).toString('base64'),
  API_DATABASE_PASSWORD: 'abc123',
  WORKER_DATABASE_PASSWORD: 'abc123',
  INDEXER_DATABASE_PASSWORD: 'abc123',
  TREASURY_DATABASE_PASSWORD: 'abc123',
  VERIFICATION_DATABASE_PASSWORD: 'abc123',
  VERIFY_KEY: Buffer.alloc(32, 7).toString('base64'),
  API_REDIS_PASSWORD: 'abc123',
  WORKER_REDIS_PASSWORD: 'abc123',
  VERIFICATION_REDIS_PASSWORD: 'abc123',
  GRAFANA_PASSWORD: 'abc123',
  BACKUP_KEY: 'abc123',
}

/**
 * Compose's interpolation: `${NAME:?message}` is required, `${NAME:-default}` is optional, `${NAME:+text}` is
 * `text` where the variable is set.
 */
export function interpolate(text: string, env: Record<string, string>): string {
  // The innermost first: a default may name another variable.
  const result = text.replace(
    /\$\{(\w+)(?::([?+-])([^{}]*))?\}/g,
    (_, name: string, kind: string | undefined, more: string) => {
      const value = env[name]
      if (kind === '+') return value ? more : ''
      if (value) return value
      if (kind === '-') return more
      throw new Error(`${name} is missing: ${more}`)
    },
  )
  return result === text ? text : interpolate(result, env)
}

/** The environment of a service. */
export const environmentOf = (service: Service) =>
  Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, value]) => [
      name,
      interpolate(String(value), { ...filledIn, ...nodes }),
    ]),
  )
