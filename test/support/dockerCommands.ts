import { readdirSync } from 'node:fs'
import { entryOf, isCommand } from '../../commands/table.ts'
import { type DatabaseRole, databaseRoles } from '../../src/platform/database/grants.ts'
import { compose, read, root } from './composeFile.ts'

/** An operator's command in Docker, as documented. */
interface DockerCommand {
  file: string
  service: string
  /** `exec` ignores the entry point: its first word is a program of the system. */
  how: 'run --rm' | 'exec'
  /** The words after the service; by default those of the service itself. */
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

/** The database role of a service; null: the owner's. */
export function roleOf(service: string): DatabaseRole | null {
  const url = String(compose.services[service]?.environment?.DATABASE_URL).replace(/\$\{[^}]*\}/g, 'x')
  const { username } = new URL(url)
  return databaseRoles.find((role) => username === `cowry_${role}`) ?? null
}

/** The program of a command, such as `run api`; empty where it is none. */
export function programOf(words: readonly string[]): string {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find(isCommand)
  return name === undefined ? '' : entryOf(name).program
}
