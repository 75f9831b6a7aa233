import { formsFor, optionsOf } from './readLine.ts'
import { type CommandEntry, type CommandName, commandNames, entryOf, sections } from './table.ts'

/** What exit codes say, where a command has nothing of its own to say. */
export const exitCodesOf = ({ exitCodes }: CommandEntry): [code: number, meaning: string][] => [
  [0, exitCodes?.[0] ?? 'done'],
  [1, exitCodes?.[1] ?? 'it failed: the message says why'],
  [2, 'wrong arguments or settings, or a refusal'],
]

const joined = (...words: string[]) => words.filter((word) => word !== '').join(' ')
const usageOf = (name: CommandName, words: string) => joined('cowry', name, words)

/** The usage lines of a command; those that begin with the same word, where there are any. */
export const usage = (name: CommandName, words: readonly string[] = []): string =>
  formsFor(entryOf(name), words)
    .map((form, index) => `${index === 0 ? 'Usage: ' : '       '}${usageOf(name, form.words)}\n`)
    .join('')

/** The examples that begin with the same word, where there are any. */
function examplesFor({ examples }: CommandEntry, [first]: readonly string[]): readonly string[] {
  const same = examples.filter((example) => example.split(' ')[0] === first)
  return same.length > 0 ? same : examples
}

/** The help of a group, such as `run`; undefined for any other word. */
export function groupHelp(group: string): string | undefined {
  const names = commandNames.filter((name) => name.startsWith(`${group} `))
  const width = Math.max(...names.map((name) => name.length)) + 2
  if (names.length === 0) return undefined
  return names.map((name) => `  cowry ${name.padEnd(width)}${entryOf(name).summary}\n`).join('')
}

/** `cowry help` */
export function overview(): string {
  const width = Math.max(...commandNames.map((name) => name.length)) + 2
  const blocks = sections.map((section) => {
    const names = commandNames.filter((name) => entryOf(name).section === section)
    return `${section}\n${names.map((name) => `  ${name.padEnd(width)}${entryOf(name).summary}\n`).join('')}`
  })
  return `Usage: cowry <command> [<argument>…] [--option <value>…]

${blocks.join('\n')}
cowry help <command> or cowry <command> --help says more; cowry --version has the version.
docs/commands.md has the same, docs/operations.md when to use what.
`
}

/** `cowry <command> --help`: all forms, or those that begin with the same word. */
export function help(name: CommandName, words: readonly string[] = []): string {
  const entry = entryOf(name)
  const forms = formsFor(entry, words)
  const shown = new Set(forms.flatMap((form) => optionsOf(form.words)))
  const options = Object.entries(entry.options ?? {}).filter(([option]) => shown.has(option))
  const width = Math.max(0, ...options.map(([option]) => option.length)) + 4
  return [
    `${entry.summary}.${entry.note === undefined ? '' : ` ${entry.note}`}\n`,
    forms.map((form) => `  ${usageOf(name, form.words)}\n      ${form.summary}\n`).join(''),
    ...(options.length === 0
      ? []
      : [
          `Options\n${options.map(([option, { summary }]) => `  --${option.padEnd(width)}${summary}\n`).join('')}`,
        ]),
    `Examples\n${examplesFor(entry, words)
      .map((words) => `  ${usageOf(name, words)}\n`)
      .join('')}`,
    `Exit codes\n${exitCodesOf(entry)
      .map(([code, meaning]) => `  ${code}  ${meaning}\n`)
      .join('')}`,
    `Its program is ${entry.program}.\n`,
  ].join('\n')
}
