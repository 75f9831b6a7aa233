import { normalForms } from '../chains/codecs.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { type Created, createdWithin, findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { monitoredAddressModel } from './models.ts'
import { fromHeights, type MonitoredAddressView, presentMonitored } from './view.ts'

export interface MonitoredFilter extends Created {
  chain?: string | undefined
  /** In any accepted notation. */
  address?: string | undefined
}

/** Monitored addresses of the business by creation, newest first by default. */
export async function listMonitored(
  ctx: { db: ModelDb },
  businessId: string,
  { chain, address, since, until }: MonitoredFilter,
  request: PageRequest,
): Promise<Page & { addresses: MonitoredAddressView[] }> {
  return ctx.db.snapshot(async (tx) => {
    const where = {
      businessId,
      removedAt: null,
      ...(chain !== undefined && { chain }),
      ...(address !== undefined && { address: normalForms(address).map((form) => form.address) }),
      ...createdWithin({ since, until }),
    }
    // A business may have a million: the total comes from maintained counts.
    const isCounted = address === undefined && !since && !until
    const total = isCounted ? () => countMonitored(tx, businessId, chain) : undefined
    const { rows, page } = await findPage(
      monitoredAddressModel(ctx.db.sequelize),
      where,
      request,
      tx.transaction,
      total,
    )
    const from = await fromHeights(
      tx,
      rows.map(({ id }) => id),
    )
    return { addresses: rows.map((row) => presentMonitored(row, from.get(row.id) ?? null)), ...page }
  })
}

/** @throws ApiError 404, also for a removed address or another business's */
export async function getMonitored(
  ctx: { db: ModelDb },
  businessId: string,
  id: string,
): Promise<MonitoredAddressView> {
  const row = isUuid(id)
    ? await monitoredAddressModel(ctx.db.sequelize).findOne({ where: { id, businessId, removedAt: null } })
    : null
  if (!row) throw notFound('Monitored address')
  return presentMonitored(row, (await fromHeights(ctx.db, [row.id])).get(row.id) ?? null)
}

/** Number of addresses that the business monitors, on one chain or on all. */
export async function countMonitored(
  db: Queryable,
  businessId: string,
  chain: string | undefined,
): Promise<number> {
  const [row] = await db.query<{ total: string }>(
    'select coalesce(sum(n), 0) as total from monitored_address_counts where business_id = $1 and ($2::text is null or chain = $2)',
    [businessId, chain ?? null],
  )
  return Number(row?.total ?? 0)
}
