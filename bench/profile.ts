import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, resolve } from 'node:path'

const flag = '--cpu-prof='

/** Where `--cpu-prof=<folder>` wants CPU profiles; they are read by Chrome's developer tools. */
const folder = process.argv.find((arg) => arg.startsWith(flag))?.slice(flag.length)

export const isProfileFlag = (arg: string): boolean => arg.startsWith(flag)

/** What makes a process of the product write its profile when it ends. */
export const profileOptions = (): Record<string, string> => (folder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(folder)}` } : {})

/** Runs `work`, and profiles it in this process where that was asked for. The last run's profile stays. */
export async function profiled<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  if (!folder) return work()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  try {
    return await work()
  } finally {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.cpuprofile`), JSON.stringify(profile))
  }
}
