import { join } from 'node:path'

/** Node's arguments for a program of the project, as in package.json. */
export const nodeArguments: readonly string[] = ['--import', join(import.meta.dirname, '../preload.mjs'), '--disable-warning=ExperimentalWarning']
