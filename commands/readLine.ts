import { parseArgs } from 'node:util'
import { nearest } from './nearest.ts'
import { type CommandEntry, type CommandName, commandNames, entryOf, isCommand } from './table.ts'
import { UsageError } from './usageError.ts'

/** A command line that its command understands. */
export interface CommandLine {
  name: CommandName
  words: string[]
  options: Record<string, string | boolean | (string | boolean)[] | undefined>
}

/** The command of a line, and the rest. `run api` and `payouts` are names of commands. */
export function nameIn(args: readonly string[]): { name: CommandName; rest: string[] } {
  for (const count of [2, 1]) {
    const name = args.slice(0, count).join(' ')
    if (args.length >= count && isCommand(name)) return { name, rest: args.slice(count) }
  }
  throw new UsageError(unknownCommand(args))
}

function unknownCommand([first = '', second]: readonly string[]): string {
  const group = commandNames.filter((name) => name.startsWith(`${first} `))
  const lasts = group.map((name) => name.slice(first.length + 1))
  if (group.length > 0 && second === undefined) return `${first}: name one of ${lasts.join(', ')}`
  const meant = group.length > 0 && second !== undefined ? nearest(second, lasts) : undefined
  const [unknown, near] =
    group.length > 0
      ? [`${first} ${second}`, meant && `${first} ${meant}`]
      : [
          first,
          nearest(first, [...new Set(commandNames.flatMap((name) => [name, name.split(' ')[0] ?? '']))]),
        ]
  return `there is no command ${unknown}${near ? `; did you mean ${near}?` : ''}`
}

/** @throws UsageError for words or options that the command does not have, with the nearest that it has */
export function readLine(name: CommandName, args: string[]): CommandLine {
  const entry = entryOf(name)
  const options = Object.fromEntries(
    Object.entries(entry.options ?? {}).map(([key, { type, multiple = false }]) => [key, { type, multiple }]),
  )
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true })
  for (const token of tokens)
    if (token.kind === 'option')
      checkOption(name, entry, token.name, token.rawName, token.value, token.inlineValue)
  const { positionals: words, values } = parseArgs({ args, options, allowPositionals: true, strict: false })
  const fitting = entry.forms.filter((form) => fits(wordsOf(form.words), words))
  if (fitting.length === 0) throw new UsageError(wordsProblem(name, entry, words))
  const allowed = new Set(fitting.flatMap((form) => optionsOf(form.words)))
  for (const given of Object.keys(values))
    if (!allowed.has(given)) throw new UsageError(`--${given} does not go with ${lineOf(name, entry, words)}`)
  return { name, words, options: values }
}

function checkOption(
  name: string,
  { options = {}, isSecret }: CommandEntry,
  given: string,
  raw: string,
  value: string | undefined,
  inline: boolean | undefined,
): void {
  const option = Object.hasOwn(options, given) ? options[given] : undefined
  if (!option || !raw.startsWith('--')) {
    const near = nearest(given, Object.keys(options))
    const meant = near === undefined ? '' : `; did you mean --${near}?`
    throw new UsageError(`${name} has no ${isSecret ? 'such option' : `option ${raw}`}${meant}`)
  }
  // Another option is no value, unless it is joined by `=`.
  if (option.type === 'string' && (value === undefined || (!inline && value.startsWith('-'))))
    throw new UsageError(`--${given} needs a value`)
  if (option.type === 'boolean' && value !== undefined) throw new UsageError(`--${given} takes no value`)
}

/** An option with its value; what follows one without a value is another option. */
const optionPattern = /\[?--([a-z-]+)(?: (?!--)[^\s[\]]+(?:\[[^\]]*\])?)?\]?…?/g

/** The options of a form. */
export const optionsOf = (form: string): string[] =>
  [...form.matchAll(optionPattern)].map(([, option = '']) => option)

/** The words of a form, without its options. */
const wordsOf = (form: string): string[] =>
  form
    .replace(optionPattern, '')
    .split(' ')
    .filter((word) => word !== '')

/** `show`, `api|worker`, or one of these in brackets; undefined for `<id>`. */
function literalsOf(word: string): string[] | undefined {
  const bare = word.replace(/^\[|\]$/g, '')
  return bare.startsWith('<') ? undefined : bare.split('|')
}

function fits([pattern, ...patterns]: string[], [word, ...words]: string[]): boolean {
  if (pattern === undefined) return word === undefined
  const mayBeNone = pattern.startsWith('[')
  if (word === undefined) return mayBeNone && fits(patterns, [])
  const literals = literalsOf(pattern)
  const taken = literals === undefined || literals.includes(word)
  if (!taken) return mayBeNone && fits(patterns, [word, ...words])
  const repeats = pattern.includes('…')
  return (
    fits(patterns, words) || (repeats && fits([mayBeNone ? pattern : `[${pattern}]`, ...patterns], words))
  )
}

/** Forms that begin with the same word as the line; all, if there are none. */
export function formsFor(entry: CommandEntry, words: readonly string[]): CommandEntry['forms'] {
  const [first = ''] = words
  const same = entry.forms.filter((form) => literalsOf(wordsOf(form.words)[0] ?? '<>')?.includes(first))
  return same.length > 0 ? same : entry.forms
}

function wordsProblem(name: CommandName, entry: CommandEntry, words: readonly string[]): string {
  const [first] = words
  const starts = entry.forms.flatMap((form) => literalsOf(wordsOf(form.words)[0] ?? '<>') ?? [])
  const takesAny = entry.forms.some((form) => wordsOf(form.words)[0]?.includes('<'))
  if (first === undefined)
    return takesAny
      ? `${name}: ${missingIn(entry.forms, words)} is missing`
      : `${name}: name one of ${starts.join(', ')}`
  if (starts.includes(first)) {
    const missing = missingIn(formsFor(entry, words), words)
    const at = lineOf(name, entry, [first])
    return missing === undefined
      ? `${at}: these arguments are not understood`
      : `${at}: ${missing} is missing`
  }
  if (takesAny) {
    const missing = missingIn(entry.forms, words)
    return missing === undefined ? `${name}: too many arguments` : `${name}: ${missing} is missing`
  }
  if (starts.length === 0) return `${name} takes no arguments`
  const near = nearest(first, starts)
  const unknown = entry.isSecret ? 'does not know the first argument' : `has no ${first}`
  return `${name} ${unknown}${near === undefined ? '' : `; did you mean ${near}?`}`
}

/** The first argument that a form needs beyond these words. */
function missingIn(forms: CommandEntry['forms'], words: readonly string[]): string | undefined {
  return forms
    .map((form) => wordsOf(form.words).filter((word) => !word.startsWith('['))[words.length])
    .find((word) => word !== undefined)
}

/** The command and, where they are words of its own, the first of its words. */
function lineOf(name: string, entry: CommandEntry, [first = '']: readonly string[]): string {
  const known = entry.forms.some((form) => literalsOf(wordsOf(form.words)[0] ?? '<>')?.includes(first))
  return known ? `${name} ${first}` : name
}
