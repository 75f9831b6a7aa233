import { join } from 'node:path'
import { type CommandName, commands, type OptionsOf } from './table.ts'

/** What a command does. It may resolve with an exit code. */
type Program<Name extends CommandName> = (words: string[], options: OptionsOf<Name>) => Promise<unknown>

/**
 * The program of a command, which its module exports as `run`.
 * @throws if the module itself was started: it would do nothing
 */
export function program<const Name extends CommandName>(name: Name, run: Program<Name>): Program<Name> {
  if (process.argv[1] === join(import.meta.dirname, '..', commands[name].program))
    throw new Error(`run this as npm run cowry -- ${name}`)
  return run
}
