import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOf } from '../../scripts/local/service.ts'
import { waitFor } from './waitFor.ts'

const root = join(import.meta.dirname, '../..')

/** A running `npm start`. */
export interface NpmStart {
  child: ChildProcess
  home: string
  port: number
  output: () => string
}

/** A new COWRY_HOME; Postgres, under a user of its own, can enter it. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'cowry-start-'))
  chmodSync(home, 0o755)
  return home
}

/** The environment of this process without what the tests have set in it. */
export const personalEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(COWRY_|NODE_OPTIONS|JEST_|npm_)/.test(name)),
  )

/**
 * `npm start` as a person runs it: in a process group of its own, like a terminal's. Resolves when it is ready.
 * @param folder the checkout
 */
export async function npmStart(home: string, port: number, folder = root): Promise<NpmStart> {
  const child = spawn('npm', ['start'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...personalEnvironment(), COWRY_HOME: home, PORT: String(port) },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  await waitFor(
    'npm start to be ready',
    async () => text.includes('Ready in') || child.exitCode !== null,
    300_000,
  )
  if (child.exitCode !== null) throw new Error(`npm start ended:\n${text}`)
  return { child, home, port, output: () => text }
}

/** Ctrl-C: the terminal signals everything in the foreground group. */
export async function interrupt({ child }: NpmStart): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = endOf(child)
  process.kill(-child.pid, 'SIGINT')
  await ended
}

/** All descendants of a process. */
export function family(pid: number): { pid: number; args: string }[] {
  const table = execFileSync('ps', ['-eww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => ({ pid: Number(match[1]), parent: Number(match[2]), args: String(match[3]) }))
  const below = (parent: number): typeof table =>
    table.filter((row) => row.parent === parent).flatMap((row) => [row, ...below(row.pid)])
  return below(pid)
}
