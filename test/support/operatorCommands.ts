import { readdirSync } from 'node:fs'
import { type DatabaseRole, databaseRoles } from '../../src/platform/database/grants.ts'
import { compose, read, root } from './composeFile.ts'
import { urlAs } from './template.ts'

/** An operator's command in Docker, as documented. */
interface DockerCommand {
  file: string
  service: string
  /** `exec` ignores the entry point: its first argument is a program of the system. */
  how: 'run --rm' | 'exec'
  /** The arguments after the service; by default those of the service itself. */
  words: string[]
}

const files = [
  'README.md',
  'docker-compose.yml',
  ...readdirSync(`${root}/docs`, { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
]

/** All commands of this project in the docs and docker-compose.yml; those of the database's image are not. */
export const dockerCommands: DockerCommand[] = files
  .filter((file) => /\.(md|yml)$/.test(file))
  .flatMap((file) =>
    [
      ...read(file).matchAll(
        /docker compose (?:--env-file \S+ )?(run --rm|exec)(?: --no-deps)? (\w[\w-]*)([^`\n]*)/g,
      ),
    ].map(([, how, service = '', rest = '']) => {
      const words = rest.split(' ').filter((word) => word !== '' && word !== '…')
      return {
        file,
        service,
        how: how as DockerCommand['how'],
        words: words.length > 0 ? words : (compose.services[service]?.command ?? []),
      }
    }),
  )
  .filter(({ service }) => compose.services[service]?.build !== 'deploy/postgres')

export const programOf = ({ words }: DockerCommand): string =>
  words.find((word) => word.endsWith('.ts')) ?? ''

/** The database role of a service; null: the owner's. */
export function roleOf(service: string): DatabaseRole | null {
  const url = String(compose.services[service]?.environment?.DATABASE_URL).replace(/\$\{[^}]*\}/g, 'x')
  const { username } = new URL(url)
  return databaseRoles.find((role) => username === `cowry_${role}`) ?? null
}

/** A database's URL by the role of a service. */
export function urlIn(service: string, url: string): string {
  const role = roleOf(service)
  return role ? urlAs(role, url) : url
}

/** A database's URL by the role with which a program is run in Docker, as documented. @throws unless it is documented for exactly one role */
export function documentedUrl(program: string, url: string): string {
  const urls = new Set(
    dockerCommands
      .filter((command) => programOf(command) === program)
      .map(({ service }) => urlIn(service, url)),
  )
  const [documented] = urls
  if (documented === undefined || urls.size > 1)
    throw new Error(`${program} is documented for ${urls.size} roles in Docker`)
  return documented
}
