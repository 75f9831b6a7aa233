import type { Chain } from '../chains/registry.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { requireAddress } from './request.ts'

/**
 * Stops monitoring an address. Events about earlier detections still follow: their confirmation or their
 * reversal by a reorg.
 * @param also runs in the same transaction, with true if it was monitored
 * @returns true if it was monitored
 * @throws ApiError 400 naming `address`
 */
export async function removeMonitored(
  ctx: { db: Db },
  businessId: string,
  chain: Pick<Chain, 'name' | 'family'>,
  address: string,
  also?: (tx: Tx, result: boolean) => Promise<void>,
): Promise<boolean> {
  const normal = requireAddress(chain, address)
  return ctx.db.tx(async (tx) => {
    const [row] = await tx.query<{ id: string }>(
      'update monitored_addresses set removed_at = now() where business_id = $1 and chain = $2 and address = $3 and removed_at is null returning id',
      [businessId, chain.name, normal],
    )
    if (row) await tx.query('update watches set removed_at = now() where id = $1', [row.id])
    await also?.(tx, row !== undefined)
    return row !== undefined
  })
}
