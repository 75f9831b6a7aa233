import { join } from 'node:path'
import { nodeArguments } from '../../scripts/local/nodeArguments.ts'

/** Node's arguments to start a devnet's program, with the compile cache kept for the next start. */
export const nodeProgram = (main: string, ...args: string[]): string[] => [
  ...nodeArguments,
  join(import.meta.dirname, main),
  ...args,
]
