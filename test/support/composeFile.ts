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
  /** Of the operator's commands. */
  profiles?: string[]
  [key: string]: unknown
}

export const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, null>
  networks: Record<string, { internal?: boolean }>
}
/** The services that run a program of ours all the time. */
export const own = Object.entries(compose.services)
  .filter(([, service]) => service.build !== undefined && service.profiles === undefined)
  .map(([name, service]) => ({ name, service, program: service.command?.[0] ?? '' }))

/** An operator's choice of chains, and their nodes. */
export const switchedOn = ['ethereum', 'polygon']
export const nodes = Object.fromEntries(switchedOn.map((chain) => [`${chain.toUpperCase()}_RPC_URLS`, 'https://one.example,https://two.example']))
