import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandOfPath } from '../scripts/oldNames.mjs'
import { groupHelp, help, overview, usage } from './help.ts'
import { nameIn, readLine } from './readLine.ts'
import { type CommandName, entryOf, isCommand } from './table.ts'
import { UsageError } from './usageError.ts'

// cowry: every process, and every command of an operator (docs/commands.md).

const root = join(import.meta.dirname, '..')
/** npm's name of the script that runs. */
const npmScript = 'npm_lifecycle_event'
const print = (text: string) => void process.stdout.write(text)

process.exitCode = await cowry(renamed(process.argv.slice(2)))

/**
 * Runs a command line. Failures go to stderr, without a stack unless the program itself is wrong.
 * @returns the exit code; undefined where the command leaves it to its process
 */
async function cowry(args: string[]): Promise<number | undefined> {
  let command: CommandName | undefined
  let words: string[] = []
  try {
    const [first = '', ...more] = args
    if (first === '--version' || first === '-v') return void print(`${versionOf()}\n`)
    if (['', 'help', '--help', '-h'].includes(first) && more.length === 0) return void print(overview())
    const asksHelp = first === 'help' || args.some((word) => word === '--help' || word === '-h')
    const asked = args.filter(
      (word, index) => !(asksHelp && (word.startsWith('-') || (index === 0 && word === 'help'))),
    )
    const group = asksHelp && asked.length === 1 ? groupHelp(asked[0] ?? '') : undefined
    if (group !== undefined) return void print(group)
    const { name, rest } = nameIn(asked)
    command = name
    words = rest.filter((word) => !word.startsWith('-'))
    if (asksHelp) return void print(help(name, words))
    const line = readLine(name, rest)
    const code = await (await programOf(name))(line.words, line.options)
    if (typeof code === 'number') return code
    return process.exitCode === undefined ? undefined : Number(process.exitCode)
  } catch (error) {
    if (!(error instanceof UsageError)) return failed(error)
    process.stderr.write(`cowry: ${error.message}\n`)
    process.stderr.write(
      command === undefined
        ? 'cowry help lists the commands\n'
        : `${usage(command, words)}cowry ${command} --help says more\n`,
    )
    return 2
  }
}

type Run = (words: string[], options: object) => Promise<unknown>

async function programOf(name: CommandName): Promise<Run> {
  const file = join(root, entryOf(name).program)
  // The image has no tests, and so nothing for developers.
  if (!existsSync(file)) throw new UsageError(`${name} is for the sources of Cowry, and not in this image`)
  return ((await import(file)) as { run: Run }).run
}

async function failed(error: unknown): Promise<number> {
  const [{ ConfigError }, { ApiError, messageOf }] = await Promise.all([
    import('../src/platform/config.ts'),
    import('../src/platform/errors.ts'),
  ])
  const isDefect =
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
  process.stderr.write(`${isDefect ? error.stack : messageOf(error)}\n`)
  return error instanceof ConfigError || error instanceof ApiError ? 2 : 1
}

function versionOf(): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

/**
 * Names of the version before, for one more version: the path of a program, as the image took it, and
 * `npm run cowry` alone, which ran all in one process.
 */
function renamed(args: string[]): string[] {
  const [first] = args
  const isBare = first === undefined && process.env[npmScript] === 'cowry'
  const [before, now] = isBare ? ['npm run cowry', 'run all'] : [first ?? '', commandOfPath(first ?? '')]
  if (now === undefined || isCommand(before)) return args
  process.stderr.write(`${before} is now cowry ${now}; the old name works for one more version\n`)
  return [...now.split(' '), ...args.slice(1)]
}
