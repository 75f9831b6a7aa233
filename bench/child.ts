import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { stopChild } from '../scripts/local/service.ts'

/** A child process of the bench: it takes orders and answers each with one message. */
export interface Child {
  /** Sends an order and waits for the answer. @throws when the process ends first */
  ask<Answer>(order: object): Promise<Answer>
  /** Waits for the next message. */
  next<Answer>(): Promise<Answer>
  close(): Promise<void>
}

/** CPU time of a child so far, as the child reports it. */
export interface ChildCpu {
  cpu: NodeJS.CpuUsage
}

export const cpuMs = ({ cpu }: ChildCpu): number => (cpu.user + cpu.system) / 1000

/** @param file the module to run; the child ends with this process */
export function startChild(
  file: URL,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Child {
  const child: ChildProcess = fork(file, {
    execArgv: ['--disable-warning=ExperimentalWarning', ...flags],
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const next = async <Answer>() => {
    const over = new AbortController()
    const ended = once(child, 'exit', { signal: over.signal }).then(() => {
      throw new Error(`${file.pathname} ended`)
    })
    try {
      const [answer] = (await Promise.race([once(child, 'message', { signal: over.signal }), ended])) as [
        Answer,
      ]
      return answer
    } finally {
      ended.catch(() => {})
      over.abort()
    }
  }
  return {
    next,
    ask(order) {
      const answer = next<never>()
      child.send(order)
      return answer
    },
    close: () => stopChild(child, 'SIGTERM', 5000),
  }
}
