import { parseEnv } from 'node:util'
import { ConfigError } from '../../src/platform/config.ts'

const line = /^(# )?([A-Z][A-Z0-9_]*)=(.*)$/

/**
 * `.env.example` with these values: each stands in its place, with the explanation above it. Settings that
 * the file does not have are refused.
 * @throws ConfigError
 */
export function envText(example: string, settings: ReadonlyMap<string, string>): string {
  const left = new Map(settings)
  const body = example.slice(example.indexOf('\n# --- ') + 1)
  const lines = body.split('\n').map((text) => {
    const [, comment, name = ''] = line.exec(text) ?? []
    const value = left.get(name)
    left.delete(name)
    if (value !== undefined) return `${name}=${quoted(name, value)}`
    // Required in another kind of deployment: an empty line would seem forgotten.
    return name !== '' && comment === undefined ? `# ${text}` : text
  })
  if (left.size > 0) throw new ConfigError(`${[...left.keys()].join(', ')}: no such setting in .env.example`)
  return `${[...header, ...lines].join('\n').trimEnd()}\n`
}

const header = [
  '# Settings of this deployment, made by `npm run cowry -- init`. It holds secrets: keep a copy of SEED_KEY, APP_KEY, VERIFY_KEY and BACKUP_KEY apart from the',
  '# backups of the database, and this file out of version control.',
  '#',
  '# Lines with `#` show the default.',
  '',
]

/** A form that Node, Docker Compose and a shell read alike. @throws ConfigError */
function quoted(name: string, value: string): string {
  if (/^[\w./:@,=+%-]*$/.test(value)) return value
  if (/['\n\r]/.test(value))
    throw new ConfigError(`${name} holds a quote or a line break, which no .env file can`)
  return `'${value}'`
}

export const readEnv = (text: string): Record<string, string> => parseEnv(text) as Record<string, string>
