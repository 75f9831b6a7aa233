import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, resolve } from 'node:path'

/** For CPU profiles, which Chrome's developer tools read. */
let folder: string | undefined

/** @param into without a folder, no profiles are written */
export const profileInto = (into: string | undefined): void => {
  folder = into
}

/** Settings that make a process of the product write its profile when it ends. */
export const profileOptions = (): Record<string, string> =>
  folder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(folder)}` } : {}

/** Runs `work`, and profiles it in this process if a folder is set. Later runs overwrite earlier profiles. */
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
