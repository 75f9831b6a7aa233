import { join } from 'node:path'
import { nodeArguments } from '../../scripts/local/nodeArguments.ts'

/** Arguments of Node that start a devnet's program; what Node compiled is kept for the next start. */
export const nodeProgram = (main: string, ...args: string[]): string[] => [...nodeArguments, join(import.meta.dirname, main), ...args]
