import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { cpuOfTree, type TreeCpu } from './processTree.ts'

export interface Tally {
  count: number
  ms: number
}

/** Durations of a suite and of its waits. Concurrent things are all counted in full. */
export interface SuiteTimes {
  wallMs: number
  cpu: TreeCpu | null
  /** By the label of `waitFor`. */
  waits: Record<string, Tally>
  /** From the start of a process until it was ready, by program. */
  starts: Record<string, Tally>
  /** Clones of the template database. */
  clones: Tally
  /** Calls of `createStack`. */
  stacks: Tally
}

/** Numbers, hashes and ids differ from wait to wait. */
export const labelOf = (text: string): string =>
  text.replace(/0x[0-9a-f]+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-zA-Z]{25,}|\d+/g, '#').slice(0, 80)

const add = (tally: Tally, ms: number) => {
  tally.count++
  tally.ms += ms
}
const addTo = (tallies: Record<string, Tally>, name: string, ms: number) => {
  tallies[name] ??= { count: 0, ms: 0 }
  add(tallies[name], ms)
}

/**
 * Records until the returned function is called. Test helpers publish durations on Node's diagnostics
 * channels.
 */
export function startRecording(channels = 'cowry'): () => SuiteTimes {
  const times = { waits: {}, starts: {}, clones: { count: 0, ms: 0 }, stacks: { count: 0, ms: 0 } }
  const handlers: Record<string, (message: { name: string; ms: number }) => void> = {
    wait: ({ name, ms }) => addTo(times.waits, labelOf(name), ms),
    start: ({ name, ms }) => addTo(times.starts, name, ms),
    clone: ({ ms }) => add(times.clones, ms),
    stack: ({ ms }) => add(times.stacks, ms),
  }
  for (const [name, handler] of Object.entries(handlers)) subscribe(`${channels}.${name}`, handler as never)
  const started = performance.now()
  const before = cpuOfTree(process.pid)
  return () => {
    for (const [name, handler] of Object.entries(handlers))
      unsubscribe(`${channels}.${name}`, handler as never)
    const after = cpuOfTree(process.pid)
    const cpu = before && after && { own: after.own - before.own, children: after.children - before.children }
    return { wallMs: performance.now() - started, cpu, ...times }
  }
}
