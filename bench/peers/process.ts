import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { endOf } from '../../scripts/local/service.ts'
import type { Scope } from '../scope.ts'

/** A process of somebody else's that runs until it is stopped, or until it is done. */
export interface PeerProcess {
  ended(): boolean
  /** The last that it said. */
  output(): string
  /** What it computed so far, or had computed when this was asked last before it ended; null where /proc does not tell. */
  cpuSeconds(): number | null
  /** Resolves when it ended. @throws with the last that it said unless it ended well */
  done(): Promise<void>
  stop(): Promise<void>
}

export interface PeerProcessOptions {
  cwd: string
  env?: Record<string, string>
  /** Gets what it says as it says it. */
  onOutput?: (text: string) => void
}

/** Starts a process that ends with `scope` at the latest. It is not a service: nothing is waited for, as its start is part of what is measured. */
export function startPeer(scope: Scope, name: string, command: string, args: readonly string[], options: PeerProcessOptions): PeerProcess {
  // A group of its own: Ctrl-C in the terminal reaches only us, we end things in order, and what it started ends with it.
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
      // Nobody is left in its group.
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
    // Fields 14 and 15 of proc_pid_stat(5), in ticks of which Linux shows programs 100 a second.
    const ticks = Number(fields[11]) + Number(fields[12])
    return ticks > 0 ? ticks / 100 : null
  } catch {
    return null
  }
}
