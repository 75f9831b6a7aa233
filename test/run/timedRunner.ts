import { createRequire } from 'node:module'
import { startRecording } from './recording.ts'

type Runner = (...args: unknown[]) => Promise<object>
const { default: run } = createRequire(import.meta.url)('jest-circus/runner') as { default: Runner }

/** Jest's runner of a suite; the result carries its durations. */
export default async function timedRunner(...args: unknown[]): Promise<object> {
  const stop = startRecording()
  const result = await run(...args)
  return { ...result, times: stop() }
}
