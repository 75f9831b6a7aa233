import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { endOf } from '../../scripts/local/service.ts'
import type { Scope } from '../scope.ts'

/** A process of another program that runs until it is stopped or done. */
export interface PeerProcess {
  ended(): boolean
  /** The last output. */
  output(): string
  /** CPU time so far, as of the last call before the process ended; null without /proc. */
  cpuSeconds(): number | null
  /** Resolves when it has ended. @throws with its last output unless it exited with 0 */
  done(): Promise<void>
  stop(): Promise<void>
}

export interface PeerProcessOptions {
  cwd: string
  env?: Record<string, string>
  /** Gets each chunk of output. */
  onOutput?: (text: string) => void
}

/**
 * Starts a process that ends with `scope` at the latest. Does not wait until it is ready: its start is part
 * of the measurement.
 */
export function startPeer(
  scope: Scope,
  name: string,
  command: string,
  args: readonly string[],
  options: PeerProcessOptions,
): PeerProcess {
  // A process group of its own: Ctrl-C reaches only us, we end processes in order, and its children end with
  // it.
  const child: ChildProcess = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000)
      options.onOutput?.(chunk.toString())
    })
  }
  child.on('error', (error) => {
    output += error.message
  })
  let cpuSeconds: number | null = null
  const ended = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-Number(child.pid), name)
    } catch {
      // The group is empty.
    }
  }
  const stop = async () => {
    if (ended()) return
    const end = endOf(child)
    signal('SIGTERM')
    const force = setTimeout(() => signal('SIGKILL'), 5000)
    await end
    clearTimeout(force)
  }
  return scope.keep(
    {
      ended,
      output: () => output.trim(),
      cpuSeconds() {
        cpuSeconds = cpuSecondsOf(child.pid) ?? cpuSeconds
        return cpuSeconds
      },
      async done() {
        await endOf(child)
        if (child.exitCode !== 0) throw new Error(`${name} failed:\n${output.trim()}`)
      },
      stop,
    },
    stop,
  )
}

/** User and system time of all its threads. */
function cpuSecondsOf(pid: number | undefined): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    // Fields 14 and 15 of proc_pid_stat(5), in ticks; Linux reports 100 a second.
    const ticks = Number(fields[11]) + Number(fields[12])
    return ticks > 0 ? ticks / 100 : null
  } catch {
    return null
  }
}
