import { type ChainName, chainNames } from '../../src/chains/registry.ts'
import { ConfigError } from '../../src/platform/config.ts'

/** What only the operator knows. */
export interface Answers {
  /** Postgres and Redis of the operator's own; null: docker-compose.yml brings them. */
  own: { databaseUrl: string; redisUrl: string } | null
  environment: 'live' | 'test'
  baseUrl: string
  /** URLs of nodes, separated by commas. */
  nodes: ReadonlyMap<ChainName, string>
  /** Further settings, by name. */
  more: ReadonlyMap<string, string>
}

/** As `parseArgs` returns them. */
export interface Flags {
  own?: boolean | undefined
  'database-url'?: string | undefined
  'redis-url'?: string | undefined
  environment?: string | undefined
  'base-url'?: string | undefined
  /** `<chain>=<url>[,<url>]`. */
  nodes?: string[] | undefined
  /** `<NAME>=<value>`. */
  set?: string[] | undefined
}

/** Prompts a person; the answer is trimmed, and `byDefault` where it is empty. */
export type Ask = (question: string, byDefault?: string) => Promise<string>

/**
 * Takes the flags, and prompts for what is missing.
 * @param ask null without a terminal
 * @throws ConfigError naming every flag that is missing or wrong
 */
export async function answersOf(
  flags: Flags,
  ask: Ask | null,
  env: NodeJS.ProcessEnv = {},
): Promise<Answers> {
  const mistakes: string[] = []
  const missing: string[] = []
  const given = async (
    value: string | undefined,
    flag: string,
    question: string,
    byDefault?: string,
  ): Promise<string> => {
    if (value) return value
    if (ask) return ask(question, byDefault)
    missing.push(flag)
    return ''
  }
  const isOwn = flags.own || flags['database-url'] || flags['redis-url']
  const own =
    isOwn ||
    (ask &&
      flags.own === undefined &&
      /^o/i.test(
        await ask('Postgres and Redis: of docker-compose.yml (docker), or your own (own)?', 'docker'),
      ))
      ? {
          databaseUrl: await given(
            flags['database-url'] ?? env.DATABASE_URL,
            '--database-url',
            'URL of Postgres, with the role that owns the tables?',
          ),
          redisUrl: await given(flags['redis-url'] ?? env.REDIS_URL, '--redis-url', 'URL of Redis?'),
        }
      : null
  const environment =
    flags.environment ?? (ask ? await ask('Mainnets (live) or test networks (test)?', 'live') : 'live')
  if (environment !== 'live' && environment !== 'test') mistakes.push('--environment must be live or test')
  const nodes = nodesOf(flags.nodes ?? [], mistakes)
  if (nodes.size === 0 && !ask) missing.push('--nodes <chain>=<url>[,<url>]')
  if (nodes.size === 0 && ask)
    for (const name of split(await ask(`Which chains (${chainNames.join(', ')})?`))) {
      if (!isChain(name)) mistakes.push(`${name} is no chain: ${chainNames.join(', ')}`)
      else
        nodes.set(
          name,
          await ask(
            `URLs of nodes of ${name}, separated by commas (two or more, of different operators, are cross-checked)?`,
          ),
        )
    }
  const baseUrl = await given(
    flags['base-url'],
    '--base-url',
    'Public URL of the API, such as https://pay.example.com?',
  )
  const more = settingsOf(flags.set ?? [], mistakes)
  if (missing.length > 0) mistakes.push(`give ${missing.join(', ')}, or run it in a terminal to be asked`)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'), mistakes)
  return { own, environment: environment as Answers['environment'], baseUrl, nodes, more }
}

const split = (text: string) => text.split(/[\s,]+/).filter(Boolean)
const isChain = (name: string): name is ChainName => (chainNames as readonly string[]).includes(name)

/** The text before and after the first `=`. */
function pair(text: string): [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function nodesOf(given: readonly string[], mistakes: string[]): Map<ChainName, string> {
  const nodes = new Map<ChainName, string>()
  for (const [name, urls] of given.map(pair)) {
    if (!isChain(name) || urls === '')
      mistakes.push(`--nodes ${name}: give <chain>=<url>[,<url>], with a chain of ${chainNames.join(', ')}`)
    else nodes.set(name, urls)
  }
  return nodes
}

function settingsOf(given: readonly string[], mistakes: string[]): Map<string, string> {
  const settings = new Map<string, string>()
  for (const [name, value] of given.map(pair)) {
    if (!/^[A-Z][A-Z0-9_]*$/.test(name) || value === '') mistakes.push(`--set ${name}: give <NAME>=<value>`)
    else settings.set(name, value)
  }
  return settings
}
