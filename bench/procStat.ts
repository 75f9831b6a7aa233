import { readFileSync } from 'node:fs'

/**
 * User and system milliseconds of a process or thread: fields 14 and 15 of proc_pid_stat(5), of which Linux
 * counts 100 ticks a second. NaN without /proc.
 */
export function cpuMsIn(file: string): number {
  try {
    const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}
