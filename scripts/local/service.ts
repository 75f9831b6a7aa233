import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Publishes how long a process took to become ready: `{ name, ms }`. */
export const startChannel = channel('cowry.start')
/** Publishes each process that is started here, in its own group: `{ pid, stopSignal }`. */
export const spawnChannel = channel('cowry.spawn')

/** Publishes what a process prints: `{ name, text }`. */
export const outputChannel = channel('cowry.output')

/** An external server that the project starts. */
export interface Service {
  pid: number
  /** Stops it with `signal`, by force after ten seconds. */
  stop(): Promise<void>
  /** Resolves when it has ended, for any reason. */
  ended: Promise<void>
}

export interface ServiceOptions extends Pick<SpawnOptions, 'uid' | 'gid' | 'cwd' | 'env'> {
  /** The signal for an orderly stop. */
  stopSignal: NodeJS.Signals
  /** Whether it serves; polled until it does. */
  ready: () => Promise<boolean>
  readyWithinMs?: number
}

/**
 * Starts a server in its own process group, so that Ctrl-C in the terminal reaches only this process, which
 * stops everything in order.
 * @throws with its last output if it ends before it is ready
 */
export async function startService(
  name: string,
  command: string,
  args: readonly string[],
  options: ServiceOptions,
): Promise<Service> {
  const { ready, stopSignal, readyWithinMs = 90_000, ...spawnOptions } = options
  const started = performance.now()
  const child = spawn(command, args, { ...spawnOptions, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  spawnChannel.publish({ pid: child.pid, stopSignal })
  let output = ''
  const keep = (chunk: Buffer) => {
    const text = chunk.toString()
    output = (output + text).slice(-4000)
    outputChannel.publish({ name, text })
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
      const said = output.trim() || 'it has printed nothing: a busy machine may need longer, so try again'
      throw new Error(`${name} was not ready within ${readyWithinMs / 1000} s: ${said}`)
    }
    await delay(20)
  }
  startChannel.publish({ name, ms: performance.now() - started })
  return { pid: child.pid ?? 0, ended, stop: () => stopChild(child, stopSignal, 10_000) }
}

/** Signals a child and waits for its end; kills it after `withinMs`. */
export async function stopChild(
  child: ChildProcess,
  signal: NodeJS.Signals,
  withinMs: number,
): Promise<void> {
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

/** A process's command line; empty if there is no such process. */
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

/**
 * Records a server for the next start, in the form of Postgres' pid file: the pid, then text that only its
 * command line has.
 */
export function rememberService(pidFile: string, service: Pick<Service, 'pid'>, mark: string): void {
  writeFileSync(pidFile, `${service.pid}\n${mark}\n`)
}

/**
 * Stops a server that a killed start left running on our data. The pid in `pidFile` may belong to another
 * process by now, so its command line must contain the file's mark.
 */
export async function endLeftover(pidFile: string, signal: NodeJS.Signals): Promise<void> {
  if (!existsSync(pidFile)) return
  const [pid, mark] = readFileSync(pidFile, 'utf8').split('\n')
  const isOurs = () => !!mark && commandOf(Number(pid)).includes(mark)
  if (!Number(pid) || !isOurs()) return
  process.kill(Number(pid), signal)
  for (const deadline = Date.now() + 20_000; isOurs() && Date.now() < deadline; ) await delay(50)
}
