import type { Approval } from '../members/businessApproval.ts'
import type { Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isLinkToken } from './linkToken.ts'
import { linkColumns, type PaymentLinkRow } from './paymentLink.ts'

/** A link with what is public of its business. */
export interface LinkForCustomer extends PaymentLinkRow {
  merchant: string
}

type Row = LinkForCustomer & { approval: Approval }

/**
 * The link of a token, which proves the right to it: there is no business in the condition. A business that
 * may take no payment has disabled links.
 * @throws ApiError 404
 */
export async function readLink(
  ctx: { db: Queryable; environment: 'test' | 'live' },
  token: string,
): Promise<LinkForCustomer> {
  if (!isLinkToken(token)) throw notFound('Payment link')
  const [row] = await ctx.db.query<Row>(
    `select ${linkColumns}, b.name as merchant, b.approval from payment_links l join businesses b on b.id = l.business_id
     where l.token = $1`,
    [token],
  )
  if (!row) throw notFound('Payment link')
  const { approval, ...link } = row
  return { ...link, status: mayTakePayments(ctx, approval) ? link.status : 'disabled' }
}

export const mayTakePayments = (
  { environment }: { environment: 'test' | 'live' },
  approval: Approval,
): boolean => approval !== 'suspended' && (environment === 'test' || approval === 'approved')
