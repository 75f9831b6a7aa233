import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { notFound } from '../platform/errors.ts'
import { requireMetadata } from '../platform/http/metadata.ts'
import { isUuid } from '../platform/ids.ts'
import { type MonitoredTokens, monitoredAddressModel } from './models.ts'
import { fromHeights, type MonitoredAddressView, presentMonitored } from './view.ts'

/** Fields left out stay unchanged. */
export interface MonitoredChange {
  metadata?: Record<string, unknown> | null | undefined
  tokens?: MonitoredTokens | undefined
}

/**
 * Changes an address's metadata, or which tokens are detected from the next block on.
 * @param also runs in the same transaction
 * @throws ApiError 400 naming `metadata`; 404, also for a removed address or another business's
 */
export async function changeMonitored(
  ctx: { db: ModelDb },
  businessId: string,
  id: string,
  { metadata, tokens }: MonitoredChange,
  also?: (
    tx: ModelTx,
    result: { before: MonitoredAddressView; after: MonitoredAddressView },
  ) => Promise<void>,
): Promise<MonitoredAddressView> {
  requireMetadata(metadata)
  if (!isUuid(id)) throw notFound('Monitored address')
  return ctx.db.tx(async (tx) => {
    const row = await monitoredAddressModel(ctx.db.sequelize).findOne({
      where: { id, businessId, removedAt: null },
      transaction: tx.transaction,
      lock: tx.transaction.LOCK.UPDATE,
    })
    if (!row) throw notFound('Monitored address')
    const fromHeight = (await fromHeights(tx, [id])).get(id) ?? null
    const before = presentMonitored(row, fromHeight)
    // The update stamps the watch, so that the indexers read it again.
    if (tokens !== undefined && tokens !== row.tokens)
      await tx.query('update watches set all_tokens = $2 where id = $1', [id, tokens === 'all'])
    if (metadata !== undefined) row.metadata = metadata
    if (tokens !== undefined) row.tokens = tokens
    await row.save({ transaction: tx.transaction })
    const after = presentMonitored(row, fromHeight)
    await also?.(tx, { before, after })
    return after
  })
}
