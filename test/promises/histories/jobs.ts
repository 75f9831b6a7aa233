import { expect } from '@jest/globals'
import { settleSuspense } from '../../../src/corrections/settleSuspense.ts'
import type { ModelDb } from '../../../src/platform/database/modelDb.ts'
import { settleSession } from '../../../src/sessions/settleSession.ts'
import { settling } from '../../support/settling.ts'
import type { Dice } from './dice.ts'
import type { World } from './world.ts'

class Rollback extends Error {}

/**
 * Settles jobs in any order: some twice in parallel, some again later, some by a worker that dies before its
 * commit.
 */
export async function work(world: World, dice: Dice, share: number): Promise<void> {
  const ctx = { ...settling, db: world.db, chains: [world.chain] }
  const dying: ModelDb = {
    ...world.db,
    tx: (run) =>
      world.db.tx(async (tx) => {
        await run(tx)
        throw new Rollback()
      }),
  }
  const rows = await world.db.query<{ id: string; payload: { sessionId: string } | { detectionId: string } }>(
    "select id, payload from outbox where queue in ('session-payment', 'suspense')",
  )
  const jobs = rows
    .map(({ id, payload }) => ({ job: { ...payload, outboxId: id }, order: dice() }))
    .sort((a, b) => a.order - b.order)
  const settle = (db: ModelDb, job: (typeof jobs)[number]['job']): Promise<unknown> =>
    'sessionId' in job ? settleSession({ ...ctx, db }, job) : settleSuspense({ db }, job)
  for (const { job } of jobs) {
    if (dice() >= share) continue
    const how = dice()
    if (how < 0.1) await expect(settle(dying, job)).rejects.toThrow(Rollback)
    else if (how < 0.2) await Promise.all([settle(world.db, job), settle(world.db, job)])
    else await settle(world.db, job)
    if (how >= 0.2 && how < 0.3) await settle(world.db, job)
  }
}
