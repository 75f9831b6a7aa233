import { exitCodesOf } from '../commands/help.ts'
import { type CommandName, commandNames, entryOf, sections } from '../commands/table.ts'
import { markdownTable } from './markdownTable.ts'

const start = `# Commands

<!-- Made by \`npm run generate\` from commands/table.ts. -->

Every process and every operator's command is a command of \`cowry\`. These docs write it as it runs
in the folder of the sources: \`npm run cowry -- payouts unknown\`. \`npx cowry\` is the same, in that
folder only: elsewhere npx would load a package of that name. In Docker the words after \`--\` follow
the service: \`docker compose run --rm operator payouts unknown\`.

\`npm run cowry -- help\` lists the commands, and \`npm run cowry -- <command> --help\` shows what is
written here. A command line that is not understood changes nothing; the message names the nearest
word, and the exit code is 2. Commands take their settings from the environment
([operations](operations.md#commands)).
`

/** docs/commands.md */
export const commandsPage = (): string =>
  [
    start,
    ...sections.flatMap((section) => [
      `## ${section}\n`,
      ...commandNames.filter((name) => entryOf(name).section === section).map(blockOf),
    ]),
  ].join('\n')

const escaped = (text: string) => text.replaceAll('|', '\\|')
const line = (...words: string[]) => words.filter((word) => word !== '').join(' ')

function blockOf(name: CommandName): string {
  const entry = entryOf(name)
  const options = Object.entries(entry.options ?? {})
  const forms = entry.forms.map(({ words, summary }) => [
    `\`${escaped(line(name, words))}\``,
    escaped(summary),
  ])
  const codes = exitCodesOf(entry).map(([code, meaning]) => `${code}: ${meaning}`)
  return [
    `### ${name}`,
    '',
    `${entry.summary}.${entry.note === undefined ? '' : ` ${entry.note}`}`,
    '',
    ...markdownTable(['command', ''], forms),
    ...(options.length === 0
      ? []
      : [
          '',
          ...markdownTable(
            ['option', ''],
            options.map(([option, { summary, multiple }]) => [
              `\`--${option}\``,
              `${escaped(summary)}${multiple ? '; may be given more than once' : ''}`,
            ]),
          ),
        ]),
    '',
    '```sh',
    ...entry.examples.map((words) => line('npm run cowry --', name, words)),
    '```',
    '',
    `Exit codes: ${codes.join('; ')}. Program: \`${entry.program}\`.`,
    '',
  ].join('\n')
}
