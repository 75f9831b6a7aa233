import type { Db } from '../platform/database/db.ts'
import { enqueue } from '../platform/database/outbox.ts'
import { settlesWithinMs } from './matchSettlements.ts'

/** Wallets at a time; a random choice where there are more, so that each has its turn. */
const maxAtOnce = 500

/** Enqueues the wallets whose settlements are overdue: money that did not come causes no other job. */
export async function enqueueLateSettlements(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    const rows = await tx.query<{ walletId: string }>(
      `select wallet_id as "walletId" from (
         select distinct wallet_id from fiat_collections where status = 'completed' and settlement = 'none' and wallet_id is not null
           and ended_at < now() - $1 * interval '1 ms') late
       order by random() limit $2`,
      [settlesWithinMs, maxAtOnce],
    )
    await enqueue(
      tx,
      'collection-settlement',
      rows.map(({ walletId }) => ({ walletId, detectionIds: [] })),
    )
  })
}
