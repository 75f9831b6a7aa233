import { Op, type WhereOptions } from 'sequelize'
import { shownForm } from '../chains/codecs.ts'
import type { Db } from '../platform/db.ts'
import { findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { type DeliveryStatus, deliveryModel, type WebhookDelivery } from './model.ts'

export interface DeliveryFilter {
  chain?: string
  address?: string
  status?: DeliveryStatus
  /** One type, or all of a group as `session.*`; without it `transaction.*`. */
  type?: string
}

export interface DeliveryView {
  id: string
  eventId: string
  type: string
  chain: string
  address: string
  symbol: string
  amount: string
  txId: string | null
  status: DeliveryStatus
  attemptsCount: number
  deliveredAt: string | null
  createdAt: string
}

/** Delivery records of the business, the newest first unless asked otherwise. */
export async function listDeliveries(
  ctx: { db: Db },
  businessId: string,
  filter: DeliveryFilter,
  request: PageRequest,
): Promise<Page & { webhooks: DeliveryView[] }> {
  const type = filter.type ?? 'transaction.*'
  const where: WhereOptions<WebhookDelivery> = {
    businessId,
    type: type.endsWith('.*') ? { [Op.like]: `${type.slice(0, -1)}%` } : type,
    ...(filter.chain ? { chain: filter.chain } : {}),
    ...(filter.status ? { status: filter.status } : {}),
    ...(filter.address ? { address: shownForm(filter.address) } : {}),
  }
  const { rows, page } = await findPage(deliveryModel(ctx.db.sequelize), where, request)
  return { webhooks: rows.map(present), ...page }
}

function present(row: WebhookDelivery): DeliveryView {
  return {
    id: row.id,
    eventId: row.eventId,
    type: row.type,
    chain: row.chain,
    address: row.address,
    symbol: row.symbol,
    amount: row.amount,
    txId: row.txId,
    status: row.status,
    attemptsCount: row.attemptsCount,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
