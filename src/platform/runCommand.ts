import { type ParseArgsConfig, parseArgs } from 'node:util'
import { ConfigError } from './config.ts'
import { ApiError, messageOf } from './errors.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true }>
>['values']

/**
 * Runs an operator's command. Its failures go to stderr, without a stack unless the program itself is wrong.
 * Exit codes: 2 for wrong arguments, a wrong configuration or a refusal; 1 where it failed, for example
 * because the database does not answer.
 * @param usage printed for an option that the command does not have
 * @param work may return an exit code
 */
export async function runCommand<const O extends Options = Record<never, never>>(
  { usage, options }: { usage: string; options?: O },
  work: (args: string[], options: Values<O>) => Promise<unknown>,
): Promise<void> {
  try {
    const { positionals, values } = readArguments(usage, options)
    const code = await work(positionals, values)
    if (typeof code === 'number') process.exitCode = code
  } catch (error) {
    const isDefect =
      error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
    process.stderr.write(`${isDefect ? error.stack : messageOf(error)}\n`)
    process.exitCode = error instanceof ConfigError || error instanceof ApiError ? 2 : 1
  }
}

/** @throws ConfigError with the usage, for an option that the program does not have */
export function readArguments<const O extends Options = Record<never, never>>(
  usage: string,
  options: O = {} as O,
): { positionals: string[]; values: Values<O> } {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch {
    throw new ConfigError(usage)
  }
}
