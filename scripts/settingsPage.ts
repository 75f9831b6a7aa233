import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsOf } from '../src/capabilities.ts'
import { chainNames } from '../src/chains/registry.ts'
import { keyProviderSettings } from '../src/custody/settings.ts'
import { processVariables } from '../src/platform/processVariables.ts'
import { markdownTable } from './markdownTable.ts'

/*
 * docs/settings.md, from .env.example and the variables that each process reads. A test holds the names and the
 * defaults of .env.example to the configuration's schema (src/platform/envExample.test.ts).
 */

const file = join(import.meta.dirname, '../.env.example')

interface Setting {
  name: string
  /** `''`: none. */
  byDefault: string
  required: boolean
}

/** Settings that one comment explains. */
interface Group {
  text: string
  settings: readonly Setting[]
}

interface Section {
  title: string
  groups: readonly Group[]
}

const parts = ['api', 'indexer', 'worker', 'treasury', 'verification'] as const

const intro = `# Settings

<!-- Made by \`npm run generate\` from .env.example and the variables that each process reads. -->

All settings are environment variables. \`npm run cowry -- init\` writes a file with all of them
([deployment](deployment.md)), \`npm run cowry -- doctor\` checks it. A process that is started with
settings it cannot use ends with exit code 2 and one line for each mistake.

- **bold**: must be set, by each process that reads it. The other defaults hold where a setting is
  not there or is empty.
- _read by_: the processes; _all_ are api, indexer, worker, treasury and verification. Settings that
  only a command, Docker Compose or a script reads have an empty cell.
- Where \`DATABASE_URL\` leads through PgBouncer in transaction mode, \`DATABASE_DIRECT_URL\` must lead
  to Postgres itself. A pooler there is detected: migrate, api, indexer, worker and treasury end with
  2 and say it, because notifications and locks do not pass a pooler. The verification host needs no
  such connection.
- Give a chain's variables alike to api, its indexer, workers and treasury: a difference between
  them is not detected. An indexer reads only those of its own chain. The treasury takes from
  \`<CHAIN>_RPC_URLS\` only that the chain is there; it queries no node.
- A chain that is taken out of the settings is not read any more: its transfers are not detected,
  confirmed or expired until it is back. Its sessions are still shown, with the registry's tokens.
`

/** docs/settings.md */
export function settingsPage(): string {
  const sections = sectionsOf(readFileSync(file, 'utf8'))
  return `${[intro, ...sections.map((section) => sectionText(section))]
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`
}

const header = ['setting', 'default', 'read by', '']

function sectionText({ title, groups }: Section): string {
  const lines = /^Chains\b/.test(title)
    ? chainLines(groups)
    : [
        ...groups.flatMap(({ text, settings }) => (settings.length === 0 ? [linked(text), ''] : [])),
        ...markdownTable(header, groups.flatMap(rowsOf)),
      ]
  return [`## ${title}`, '', ...lines, ''].join('\n')
}

/** The first setting of a group has its text. */
const rowsOf = ({ text, settings }: Group): string[][] =>
  settings.map(({ name, byDefault, required }, index) => [
    required ? `**\`${name}\`**` : `\`${name}\``,
    byDefault === '' ? '' : `\`${byDefault}\``,
    readersOf(name),
    index === 0 ? linked(text) : '″',
  ])

/** A text for a cell: with links to pages, without the processes, which have a column. */
const linked = (text: string) =>
  text
    .replaceAll(/ ?Process(?:es)?: [\w, ]+(?:; [\w ]+)?\./g, '')
    .replaceAll(/docs\/([\w-]+)\.md/g, (_, page) => `[${page.replaceAll('-', ' ')}](${page}.md)`)
    .replaceAll(
      /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)/g,
      (name) => `\`${name}\``,
    )
    .replaceAll('|', '\\|')
    .replaceAll(/<(?=[a-z]+>)/gi, '&lt;')

/** The variables of a chain once, each with its values by chain. */
function chainLines(groups: readonly Group[]): string[] {
  const [general, ...chains] = groups
  const meanings = [...(general?.text ?? '').matchAll(/([A-Z][A-Z_, ]*): (.*?)(?= [A-Z][A-Z_, ]+: |$)/gs)]
  const head = (general?.text ?? '').slice(0, meanings[0]?.index ?? 0).trim()
  const names = [
    ...new Set(chains.flatMap(({ settings }) => settings.map(({ name }) => name.replace(/^[A-Z]+?_/, '')))),
  ]
  const valueIn = (chain: string, name: string) =>
    chains.flatMap(({ settings }) => settings).find((each) => each.name === `${chain.toUpperCase()}_${name}`)
  const cell = (chain: string, name: string) => {
    const setting = valueIn(chain, name)
    if (!setting) return '—'
    return setting.byDefault === '' ? '' : `\`${setting.byDefault}\``
  }
  return [
    ...(head === '' ? [] : [linked(head), '']),
    ...markdownTable(
      ['variable', 'meaning'],
      meanings.map(([, name = '', text = '']) => [
        name
          .split(', ')
          .map((each) => `\`<CHAIN>_${each}\``)
          .join(', '),
        linked(text.trim()),
      ]),
    ),
    '',
    ...chains.flatMap(({ text }) => (text === '' ? [] : [`- ${linked(text)}`])),
    '',
    'Defaults by chain; —: the chain does not have this variable.',
    '',
    ...markdownTable(
      ['variable', ...chainNames],
      names.map((name) => [`\`${name}\``, ...chainNames.map((chain) => cell(chain, name))]),
    ),
    '',
  ]
}

/** The processes that read a variable, as the table shows them. */
function readersOf(name: string): string {
  const chosen = parts.filter((part) => variablesOf(part).has(name))
  if (chosen.length === parts.length || name.startsWith('OTEL_')) return 'all'
  return chosen.join(', ')
}

const known = new Map<string, ReadonlySet<string>>()

function variablesOf(part: (typeof parts)[number]): ReadonlySet<string> {
  const seen = known.get(part)
  if (seen) return seen
  const registered = part === 'indexer' || part === 'verification' ? [] : settingsOf(part)
  const own = part === 'treasury' ? [...registered, keyProviderSettings] : registered
  const names = new Set<string>([
    ...processVariables.every,
    ...processVariables[part],
    `${part.toUpperCase()}_DATABASE_URL`,
    ...(processVariables[part].some((name) => name === 'REDIS_URL')
      ? [`${part.toUpperCase()}_REDIS_URL`]
      : []),
    ...own.flatMap(({ variables }) => Object.keys(variables)),
  ])
  known.set(part, names)
  return names
}

/** The sections of .env.example, in its order. */
export function sectionsOf(text: string): Section[] {
  const sections: { title: string; groups: { text: string; settings: Setting[] }[] }[] = []
  let open: { text: string; settings: Setting[] } | null = null
  for (const line of text.split('\n')) {
    const title = /^# --- (.*) ---$/.exec(line)?.[1]
    if (title !== undefined) {
      sections.push({ title, groups: [] })
      open = null
      continue
    }
    const section = sections.at(-1)
    if (!section) continue
    const [, comment, name, value] = /^(# )?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
    if (name !== undefined) {
      open ??= added(section.groups)
      open.settings.push({ name, byDefault: value ?? '', required: comment === undefined })
    } else if (line.startsWith('#')) {
      if (!open || open.settings.length > 0) open = added(section.groups)
      open.text = `${open.text} ${line.slice(1).trim()}`.trim()
    } else open = null
  }
  return sections
}

function added(groups: { text: string; settings: Setting[] }[]) {
  const group = { text: '', settings: [] as Setting[] }
  groups.push(group)
  return group
}
