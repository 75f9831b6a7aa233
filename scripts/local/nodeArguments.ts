import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/**
 * Node's arguments for a program of the project, as in package.json; in another folder for those of another
 * release.
 */
export const nodeArgumentsIn = (folder: string): readonly string[] => [
  '--import',
  join(folder, 'scripts/preload.mjs'),
  '--disable-warning=ExperimentalWarning',
]
export const nodeArguments = nodeArgumentsIn(root)

/** The program of every process and command, in the folder of the project. */
export const cowryProgram = 'commands/cowry.ts'

/** Node's arguments for a command, from any folder. */
export const commandArguments: readonly string[] = [...nodeArguments, join(root, cowryProgram)]
