import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { entryOf, isCommand } from '../../commands/table.ts'
import { commandArguments } from '../../scripts/local/nodeArguments.ts'
import { devnetEnv } from '../devnets/evm.ts'
import { documentedUrl } from './operatorCommands.ts'
import type { Stack } from './stack.ts'

const root = join(import.meta.dirname, '../..')

export interface CommandOutcome {
  code: number | null
  out: string
  err: string
}

/** `npm run cowry -- <command> …` of an operator, as a process of its own, with its database role in Docker. */
export function runCommand(
  stack: Stack,
  script:
    | 'rescan'
    | 'accept-fork'
    | 'intents'
    | 'fees'
    | 'sweeps'
    | 'bridge'
    | 'staking'
    | 'reconcile'
    | 'business'
    | 'account',
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandOutcome> {
  const chains = [...stack.devnets.values()].map((devnet) => ({
    ...devnetEnv(devnet),
    [`${devnet.chain.toUpperCase()}_CONFIRMATIONS`]: '2',
  }))
  return runScript(script, args, (file) => ({
    DATABASE_URL: documentedUrl(file, stack.databaseUrl),
    ...Object.assign({}, ...chains),
    ...env,
  }))
}

/** `npm run cowry -- <command> …`, with this environment alone. */
export const runScript = (
  script: string,
  args: readonly string[],
  envOf: (file: string) => Record<string, string> = () => ({}),
  input?: string,
): Promise<CommandOutcome> => startScript(script, args, envOf, input).outcome

/** A command that runs. */
export interface RunningCommand {
  /** Its output so far. */
  output: Readonly<{ out: string; err: string }>
  kill(signal: NodeJS.Signals): void
  outcome: Promise<CommandOutcome>
}

/** @param input its standard input; empty by default */
export function startScript(
  script: string,
  args: readonly string[],
  envOf: (file: string) => Record<string, string> = () => ({}),
  input?: string,
): RunningCommand {
  const child = spawn(process.execPath, [...commandArguments, ...script.split(' '), ...args], {
    cwd: root,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/cowry/compiled'),
      ...envOf(isCommand(script) ? entryOf(script).program : ''),
    },
  })
  // A command that ends without reading it closes the pipe.
  child.stdin?.on('error', () => {}).end(input)
  const output = { out: '', err: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    output.out += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output.err += chunk
  })
  const outcome = new Promise<CommandOutcome>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...output }))
  })
  return { output, outcome, kill: (signal) => void child.kill(signal) }
}
