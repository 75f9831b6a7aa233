import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixturesFolder } from './shared.ts'

/** The call traces of a recorded block, in the form of `debug_traceBlockByHash` without the transactions' names. */
export function recordedTraces(name: string): { result: unknown }[] {
  const frames = JSON.parse(readFileSync(join(fixturesFolder, name, 'traces.json'), 'utf8')) as unknown[]
  return frames.map((result) => ({ result }))
}
