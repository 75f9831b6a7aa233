import { rmSync } from 'node:fs'
import type { TestRun } from './globalSetup.ts'

export default async function globalTeardown(): Promise<void> {
  const { cowryTestRun: run } = globalThis as { cowryTestRun?: TestRun }
  if (!run) return
  await run.coordinator.close()
  await run.postgres?.stop()
  rmSync(run.home, { recursive: true, force: true })
}
