import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Says how long each process took from its start until it was ready: `{ name, ms }`. */
export const startChannel = channel('cowry.start')

/** A server of somebody else's that runs beside the project. */
export interface Service {
  pid: number
  /** Ends it with `signal`, by force after ten seconds. */
  stop(): Promise<void>
  /** Resolves when it has ended, for whatever reason. */
  ended: Promise<void>
}

export interface ServiceOptions extends Pick<SpawnOptions, 'uid' | 'gid' | 'cwd' | 'env'> {
  /** Asks it to end in an orderly way. */
  stopSignal: NodeJS.Signals
  /** Resolves when it serves; asked again until then. */
  ready: () => Promise<boolean>
  readyWithinMs?: number
}

/**
 * Starts a server in a process group of its own, so that Ctrl-C in the terminal reaches only us and we end
 * things in order.
 * @throws with the last of its output when it ends before it serves
 */
export async function startService(name: string, command: string, args: readonly string[], options: ServiceOptions): Promise<Service> {
  const { ready, stopSignal, readyWithinMs = 30_000, ...spawnOptions } = options
  const started = performance.now()
  const child = spawn(command, args, { ...spawnOptions, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const ended = endOf(child)
  let over = false
  void ended.then(() => {
    over = true
  })
  const deadline = Date.now() + readyWithinMs
  while (!(await ready().catch(() => false))) {
    if (over) throw new Error(`${name} ended before it was ready:\n${output.trim()}`)
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`${name} was not ready within ${readyWithinMs / 1000} s:\n${output.trim()}`)
    }
    await delay(20)
  }
  startChannel.publish({ name, ms: performance.now() - started })
  return { pid: child.pid ?? 0, ended, stop: () => stopChild(child, stopSignal, 10_000) }
}

/** Signals a child and waits for its end; kills it when that takes longer than `withinMs`. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = endOf(child)
  child.kill(signal)
  const force = setTimeout(() => child.kill('SIGKILL'), withinMs)
  await ended
  clearTimeout(force)
}

export function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
}

/** The command line of a process; empty when there is none. */
export function commandOf(pid: number): string {
  if (existsSync('/proc/self/cmdline')) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    } catch {
      return ''
    }
  }
  return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}

/** Remembers a server for the next start, in the form of Postgres' own pid file: the pid, then what only its command line has. */
export function rememberService(pidFile: string, service: Pick<Service, 'pid'>, mark: string): void {
  writeFileSync(pidFile, `${service.pid}\n${mark}\n`)
}

/**
 * A start that was killed leaves its servers running on our data: the one that `pidFile` names is ended. A pid may
 * belong to somebody else by now, so its command line must still have the file's mark in it.
 */
export async function endLeftover(pidFile: string, signal: NodeJS.Signals): Promise<void> {
  if (!existsSync(pidFile)) return
  const [pid, mark] = readFileSync(pidFile, 'utf8').split('\n')
  const isOurs = () => !!mark && commandOf(Number(pid)).includes(mark)
  if (!Number(pid) || !isOurs()) return
  process.kill(Number(pid), signal)
  for (const deadline = Date.now() + 20_000; isOurs() && Date.now() < deadline; ) await delay(50)
}
