import { readFileSync } from 'node:fs'

/** User and system time of a process or thread in milliseconds, from fields 14 and 15 of proc_pid_stat(5): Linux counts 100 ticks a second. NaN where /proc is absent. */
export function cpuMsIn(file: string): number {
  try {
    const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}
