import { join } from 'node:path'

const compileCache = join(import.meta.dirname, '../../scripts/compileCache.mjs')

/** Arguments of Node that start a devnet's program; what Node compiled is kept for the next start. */
export const nodeProgram = (main: string, ...args: string[]): string[] => [
  '--import',
  compileCache,
  '--disable-warning=ExperimentalWarning',
  join(import.meta.dirname, main),
  ...args,
]
