import { readFixture } from '../fixtures/readFixture.ts'

/**
 * The call traces of a recorded block, in the form of `debug_traceBlockByHash` without the transactions'
 * names.
 */
export function recordedTraces(name: string): { result: unknown }[] {
  const frames = readFixture<unknown[]>(`${name}/traces.json`)
  return frames.map((result) => ({ result }))
}
