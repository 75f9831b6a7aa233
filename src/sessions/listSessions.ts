import { Op, type WhereOptions } from 'sequelize'
import type { Chain } from '../chains/registry.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { requireRange } from '../platform/requireRange.ts'
import type { CheckoutUrl } from './checkout/checkoutToken.ts'
import { type PosSession, type SessionException, type SessionStatus, sessionModel } from './model.ts'
import { presentSession, type SessionView } from './present.ts'
import { readHeights } from './readHeights.ts'
import { asSettled, readPayments } from './readPayments.ts'
import { readRefunds } from './readRefunds.ts'
import { searchCondition } from './searchCondition.ts'

export interface SessionFilter {
  chain?: string
  token?: string
  status?: SessionStatus
  exception?: SessionException
  reference?: string
  /** A whole id, reference, address or transaction. */
  search?: string
  /** Created from this time on, and before this one. */
  since?: Date
  until?: Date
}

/**
 * Sessions of the business, newest first unless requested otherwise.
 * @throws ApiError 400 naming `until` or `cursor`
 */
export async function listSessions(
  ctx: { db: ModelDb; chains: readonly Chain[]; checkoutUrl: CheckoutUrl },
  businessId: string,
  filter: SessionFilter,
  request: PageRequest,
): Promise<Page & { sessions: SessionView[] }> {
  const { since, until } = filter
  if (since && until) requireRange({ field: 'since', time: since }, { field: 'until', time: until })
  return ctx.db.snapshot(async (tx) => {
    const { rows, page } = await findPage(
      sessionModel(ctx.db.sequelize),
      await conditionOf(tx, businessId, filter),
      request,
      tx.transaction,
    )
    const ids = rows.map((session) => session.id)
    const payments = asSettled(await readPayments(tx, ids))
    const refunds = await readRefunds(tx, ids)
    const context = { ...ctx, heights: await readHeights(tx) }
    const sessions = rows.map((session) =>
      presentSession(
        session,
        payments.filter((payment) => payment.sessionId === session.id),
        context,
        refunds.filter((refund) => refund.sessionId === session.id),
      ),
    )
    return { sessions, ...page }
  })
}

async function conditionOf(
  tx: ModelTx,
  businessId: string,
  { search, since, until, ...filter }: SessionFilter,
): Promise<WhereOptions<PosSession>> {
  return {
    businessId,
    ...filter,
    ...(since || until
      ? { createdAt: { ...(since && { [Op.gte]: since }), ...(until && { [Op.lt]: until }) } }
      : {}),
    ...(search === undefined ? {} : { [Op.or]: await searchCondition(tx, businessId, search.trim()) }),
  }
}
