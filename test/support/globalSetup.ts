import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalPostgres } from '../../scripts/local/postgres.ts'
import { type Coordinator, startCoordinator } from '../run/coordinator.ts'
import { startTestPostgres } from '../run/testPostgres.ts'

export interface TestRun {
  home: string
  coordinator: Coordinator
  postgres?: LocalPostgres
}

/** Starts the coordinator, which gives shared resources to the integration suites. */
export default async function globalSetup(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'cowry-test-'))
  // Postgres may run as another user, who must be able to enter it.
  chmodSync(home, 0o755)
  const coordinator = await startCoordinator(home, {
    async postgres() {
      run.postgres = await startTestPostgres(home)
      return run.postgres.url('{database}')
    },
  })
  const run: TestRun = { home, coordinator }
  process.env.COWRY_TEST_HOME = home
  process.env.COWRY_TEST_COORDINATOR = coordinator.address
  Object.assign(globalThis, { cowryTestRun: run })
}
