import type { Chain } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { CheckoutUrl } from './checkout/checkoutToken.ts'
import { presentSession, type SessionView } from './present.ts'
import { asSettled, type PaymentRow, paymentOf, selectPayments } from './readPayments.ts'
import { type RefundRow, refundOf, selectRefunds } from './readRefunds.ts'
import { type StoredSession, sessionColumns } from './storedSession.ts'

type Row = StoredSession & { payments: PaymentRow[]; refunds: RefundRow[]; heights: Record<string, number> }

/**
 * One statement, for one consistent snapshot and one round trip: tills poll their session about once a
 * second.
 */
const select = `
  select ${sessionColumns},
    (select coalesce(json_agg(payment), '[]') from (${selectPayments}) payment) as payments,
    (select coalesce(json_agg(refund), '[]') from (${selectRefunds}) refund) as refunds,
    (select coalesce(json_object_agg(chain, height), '{}') from chain_cursors where height is not null) as heights
  from pos_sessions where id = any($1::uuid[]) and business_id = $2`

/** A session of the business. @throws ApiError 404, also for a session of another business */
export async function getSession(
  ctx: { db: Queryable; chains: readonly Chain[]; checkoutUrl: CheckoutUrl },
  businessId: string,
  id: string,
): Promise<SessionView> {
  if (!isUuid(id)) throw notFound('Session')
  const [row] = await ctx.db.query<Row>(select, [[id], businessId])
  if (!row) throw notFound('Session')
  const { payments, refunds, heights, ...session } = row
  const context = { ...ctx, heights: new Map(Object.entries(heights)) }
  return presentSession(session, asSettled(payments.map(paymentOf)), context, refunds.map(refundOf))
}
