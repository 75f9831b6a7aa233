import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cowryProgram, nodeArgumentsIn } from './nodeArguments.ts'
import { endOf, spawnChannel, startChannel, stopChild } from './service.ts'

const root = join(import.meta.dirname, '../..')

/** A process of Cowry, started from its sources. */
export interface CowryProcess {
  name: string
  pid: number
  /** The API's port, if the process serves it. */
  port(): number | undefined
  /** The same for the verification host. */
  verifyPort(): number | undefined
  metricsUrl(): string
  /** Resolves when `/health/ready` succeeds. @throws if the process ends first, or after `withinMs` */
  ready(withinMs?: number): Promise<void>
  /** Resolves when it has ended and its log is complete: the last lines give the reason it ended. */
  ended: Promise<void>
  running(): boolean
  /** Null while it runs, and after a signal has killed it. */
  exitCode(): number | null
  stop(withinMs?: number): Promise<void>
  kill(signal: NodeJS.Signals): void
}

/** The processes, with their command and the file that a release before the command `cowry` has for each. */
export const programs = {
  cowry: { command: 'all', file: 'cowry/main.ts' },
  api: { command: 'api', file: 'api/main.ts' },
  indexer: { command: 'indexer', file: 'indexers/main.ts' },
  worker: { command: 'worker', file: 'queues/main.ts' },
  treasury: { command: 'treasury', file: 'treasury/main.ts' },
  verification: { command: 'verification', file: 'api/verification/main.ts' },
} as const

function wordsOf(program: keyof typeof programs, folder: string): string[] {
  const { command, file } = programs[program]
  return existsSync(join(folder, file)) ? [file] : [cowryProgram, 'run', command]
}

/**
 * Starts a process in its own group. It stops when this process dies, because its standard input then ends.
 * @param logFile receives its log
 * @param folder of the sources, where they are those of another release
 */
export function startCowry(
  name: string,
  program: keyof typeof programs,
  args: readonly string[],
  env: Record<string, string>,
  logFile: string,
  folder = root,
): CowryProcess {
  const log = createWriteStream(logFile, { flags: 'a' })
  const started = performance.now()
  const child: ChildProcess = spawn(
    process.execPath,
    [...nodeArgumentsIn(folder), ...wordsOf(program, folder), ...args],
    {
      cwd: folder,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH ?? '',
        COWRY_SUPERVISED: '1',
        METRICS_PORT: '0',
        API_DRAIN_SECONDS: '0',
        ...env,
      },
    },
  )
  spawnChannel.publish({ pid: child.pid, stopSignal: 'SIGTERM' })
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log.write(chunk)
      tail = (tail + chunk.toString()).slice(-3000)
    })
  }
  let readyBefore = false
  let internalPort: number | undefined
  let port: number | undefined
  let verifyPort: number | undefined
  child.on('message', (message: { internalPort?: number; port?: number; verifyPort?: number }) => {
    internalPort = message.internalPort ?? internalPort
    port = message.port ?? port
    verifyPort = message.verifyPort ?? verifyPort
  })
  let over = false
  const written = new Promise<void>((resolve) => child.once('close', () => log.end(resolve)))
  const ended = endOf(child).then(() => {
    over = true
    return written
  })
  const metricsUrl = () => `http://127.0.0.1:${internalPort}/metrics`
  return {
    name,
    pid: child.pid ?? 0,
    port: () => port,
    verifyPort: () => verifyPort,
    metricsUrl,
    ended,
    running: () => !over,
    exitCode: () => child.exitCode,
    kill: (signal) => void child.kill(signal),
    stop: (withinMs = 25_000) => stopChild(child, 'SIGTERM', withinMs),
    async ready(withinMs = 60_000) {
      let why = ''
      for (const deadline = Date.now() + withinMs; ; await delay(30)) {
        if (over) throw new Error(`${name} ended before it was ready:\n${tail}`)
        if (internalPort) {
          const response = await fetch(`http://127.0.0.1:${internalPort}/health/ready`).catch(() => null)
          if (response?.ok) {
            if (!readyBefore) startChannel.publish({ name: program, ms: performance.now() - started })
            readyBefore = true
            return
          }
          why = (await response?.text().catch(() => '')) ?? 'no answer'
        }
        if (Date.now() > deadline)
          throw new Error(`${name} was not ready within ${withinMs / 1000} s: ${why}\n${tail}`)
      }
    },
  }
}
