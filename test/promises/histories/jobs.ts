import { expect } from '@jest/globals'
import type { Db } from '../../../src/platform/db.ts'
import { settleSession } from '../../../src/sessions/settleSession.ts'
import type { Dice } from './dice.ts'
import type { World } from './world.ts'

class Rollback extends Error {}

/** Settles jobs in any order: some twice at once, some again after they were done, some by a worker that dies before its commit. */
export async function work(world: World, dice: Dice, share: number): Promise<void> {
  const ctx = { db: world.db, chains: [world.chain] }
  const dying: Db = {
    ...world.db,
    tx: (run) =>
      world.db.tx(async (tx) => {
        await run(tx)
        throw new Rollback()
      }),
  }
  const rows = await world.db.query<{ id: string; payload: { sessionId: string } }>("select id, payload from outbox where queue = 'session-payment'")
  const jobs = rows.map(({ id, payload: { sessionId } }) => ({ job: { sessionId, outboxId: id }, order: dice() })).sort((a, b) => a.order - b.order)
  for (const { job } of jobs) {
    if (dice() >= share) continue
    const how = dice()
    if (how < 0.1) await expect(settleSession({ ...ctx, db: dying }, job)).rejects.toThrow(Rollback)
    else if (how < 0.2) await Promise.all([settleSession(ctx, job), settleSession(ctx, job)])
    else await settleSession(ctx, job)
    if (how >= 0.2 && how < 0.3) await settleSession(ctx, job)
  }
}
