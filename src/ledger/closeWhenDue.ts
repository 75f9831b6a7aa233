import type { Db } from '../platform/database/db.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { closeLedger } from './closeLedger.ts'

/** The daily close, for maintenance: any number of workers may run it. */
export async function closeWhenDue(ctx: { db: Db; log: Log; stopping: AbortSignal }): Promise<void> {
  const closed = await closeLedger(ctx, 'due')
  if (!closed) return
  const { close, drifts } = closed
  const facts = { close: close.id, entries: close.entries, lastHash: close.lastHash }
  if (drifts.length === 0) ctx.log.info(facts, 'closed the ledger')
  else
    ctx.log.error(
      { ...facts, drifts: drifts.slice(0, 10), found: drifts.length },
      'the close of the ledger found differences: see docs/runbooks/ledger-drift.md',
    )
}
