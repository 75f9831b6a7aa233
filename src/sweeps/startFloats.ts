import type { WorkerContext } from '../capability.ts'
import type { Queryable } from '../platform/db.ts'
import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import { readFloats } from './floats.ts'
import { sweepingChains } from './sweepsWorker.ts'
import { treasuryAddress } from './treasuryAddress.ts'

const everyMs = 60_000

/** Reads the treasury's balances each minute until the worker stops, on chains where something is swept: others need no library of their family. */
export function startFloats(ctx: WorkerContext): void {
  const open = sweepingChains(ctx)
  const failed = (error: unknown): void => ctx.log.warn({ err: messageOf(error) }, "the treasury's balances could not be read; trying again")
  const watching = repeat(ctx.stopping, { everyMs, failed }, async () => {
    const names = await sweptChains(ctx.db)
    for (const { name, family } of ctx.chains.filter((each) => names.has(each.name))) {
      const [treasury, sweeping] = [await treasuryAddress(ctx.db, family), await open(name)]
      if (treasury !== null && sweeping) await readFloats(ctx.db, sweeping.chain, sweeping.balances, treasury).catch(failed)
    }
  })
  ctx.onStop(() => watching)
}

async function sweptChains(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ chain: string }>(
    "select chain from sweep_settings where enabled union select chain from sweeps where status not in ('done', 'failed')",
  )
  return new Set(rows.map(({ chain }) => chain))
}
