import type { Db } from '../platform/db.ts'
import { enqueue } from '../platform/outbox.ts'
import { settlesWithinMs } from './matchSettlements.ts'

const maxAtOnce = 500

/** Has the wallets looked at whose settlements are overdue: what did not come causes no other job. */
export async function enqueueLateSettlements(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    const rows = await tx.query<{ walletId: string }>(
      `select distinct wallet_id as "walletId" from (
         select wallet_id from fiat_collections where status = 'completed' and settlement = 'none' and wallet_id is not null
           and ended_at < now() - $1 * interval '1 ms' order by ended_at limit $2) late`,
      [settlesWithinMs, maxAtOnce],
    )
    await enqueue(
      tx,
      'collection-settlement',
      rows.map(({ walletId }) => ({ walletId, detectionIds: [] })),
    )
  })
}
