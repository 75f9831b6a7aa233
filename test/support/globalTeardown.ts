import { rmSync } from 'node:fs'
import type { LocalPostgres } from '../../scripts/local/postgres.ts'

export default async function globalTeardown(): Promise<void> {
  await (globalThis as { cowryTestPostgres?: LocalPostgres }).cowryTestPostgres?.stop()
  if (process.env.COWRY_TEST_HOME) rmSync(process.env.COWRY_TEST_HOME, { recursive: true, force: true })
}
