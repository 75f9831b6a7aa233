import { parse } from 'yaml'

/** What a service of docker-compose.yml reports that a deployment to Kubernetes needs. */
export interface ComposeService {
  name: string
  /** The program and its arguments. */
  command: string[]
  environment: Record<string, string>
  networks: string[]
  volumes: string[]
}

interface Raw {
  build?: string
  profiles?: string[]
  command?: string[]
  environment?: Record<string, string>
  networks?: string[]
  volumes?: string[]
}

/**
 * The services that run a program of this project, without the operator's commands. Postgres and Redis are
 * outside of the cluster.
 */
export function ownServices(text: string): ComposeService[] {
  const { services } = parse(text, { merge: true }) as { services: Record<string, Raw> }
  return Object.entries(services).flatMap(
    ([name, { build, profiles, command = [], environment = {}, networks = [], volumes = [] }]) =>
      build !== '.' || profiles !== undefined ? [] : [{ name, command, environment, networks, volumes }],
  )
}
