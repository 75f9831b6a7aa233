import { ConfigError } from './config.ts'
import { ApiError, messageOf } from './errors.ts'

/**
 * Runs an operator's command. Its failures go to stderr, without a stack unless the program itself is wrong.
 * Exit codes: 2 for wrong arguments, a wrong configuration or a refusal; 1 where it failed, for example because the database does not answer.
 * @param work may return an exit code
 */
export async function runCommand(work: (args: string[]) => Promise<unknown>): Promise<void> {
  try {
    const code = await work(process.argv.slice(2))
    if (typeof code === 'number') process.exitCode = code
  } catch (error) {
    const isDefect = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
    process.stderr.write(`${isDefect ? error.stack : messageOf(error)}\n`)
    process.exitCode = error instanceof ConfigError || error instanceof ApiError ? 2 : 1
  }
}
