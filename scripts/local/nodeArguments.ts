import { join } from 'node:path'

/** What Node is given before a program of the project, as in the scripts of package.json. */
export const nodeArguments: readonly string[] = ['--import', join(import.meta.dirname, '../preload.mjs'), '--disable-warning=ExperimentalWarning']
