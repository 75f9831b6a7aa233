import type { Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { plain } from '../sessions/present.ts'

export interface AcceptedChoice {
  chain: string
  token: string
}

export type PaymentLinkStatus = 'active' | 'disabled' | 'expired' | 'used'

/** A stored link. Amounts are decimals in whole units, as `numeric` comes from the database. */
export interface PaymentLinkRow {
  id: string
  businessId: string
  /** The last part of its address. */
  token: string
  amount: string | null
  localAmount: string | null
  /** Of `localAmount`, or of the amounts that customers name; null: units of the token. */
  localCurrency: string | null
  minAmount: string | null
  maxAmount: string | null
  accept: AcceptedChoice[] | null
  label: string | null
  reference: string | null
  sessionSeconds: number
  maxSessions: number | null
  createdAt: Date
  expiresAt: Date
  disabledAt: Date | null
  status: PaymentLinkStatus
}

/** The customer names the amount. */
export const isOpenAmount = ({
  amount,
  localAmount,
}: Pick<PaymentLinkRow, 'amount' | 'localAmount'>): boolean => amount === null && localAmount === null

/** SQL: how many sessions of the link `l` are paid, or have a payment under way. */
const usedCount = `((select count(*) from pos_sessions where link_id = l.id and status in ('paid', 'paid_out'))
  + (select count(*) from pos_sessions where link_id = l.id and status = 'pending' and amount_received > 0))`

/** SQL: the status of the link `l`. */
export const statusSql = `case
  when l.disabled_at is not null then 'disabled'
  when l.expires_at <= now() then 'expired'
  when l.max_sessions is not null and ${usedCount} >= l.max_sessions then 'used'
  else 'active' end`

/** The select list of the link `l`. */
export const linkColumns = `l.id, l.business_id as "businessId", l.token, l.amount::text, l.local_amount::text as "localAmount",
  l.local_currency as "localCurrency", l.min_amount::text as "minAmount", l.max_amount::text as "maxAmount", l.accept,
  l.label, l.reference, l.session_seconds as "sessionSeconds", l.max_sessions as "maxSessions",
  l.created_at as "createdAt", l.expires_at as "expiresAt", l.disabled_at as "disabledAt", ${statusSql} as status`

/** SQL: the counts of sessions of the link `l`. */
export const countColumns = `(select count(*)::int from pos_sessions where link_id = l.id) as sessions,
  (select count(*)::int from pos_sessions where link_id = l.id and status in ('paid', 'paid_out')) as "paidSessions"`

export interface CountedLink extends PaymentLinkRow {
  sessions: number
  paidSessions: number
}

/** A link as its business sees it. */
export interface PaymentLinkView {
  id: string
  url: string
  status: PaymentLinkStatus
  amount: string | null
  localAmount: string | null
  localCurrency: string | null
  openAmount: { localCurrency: string | null; min: string | null; max: string | null } | null
  accept: AcceptedChoice[] | null
  label: string | null
  reference: string | null
  expiresAt: string
  expirySeconds: number
  maxSessions: number | null
  sessions: number
  paidSessions: number
  disabledAt: string | null
  createdAt: string
}

export const decimalOrNull = (numeric: string | null): string | null => numeric && plain(numeric)

/** @param issuer the deployment's public URL */
export function presentLink({ issuer }: { issuer: string }, link: CountedLink): PaymentLinkView {
  const isOpen = isOpenAmount(link)
  return {
    id: link.id,
    url: `${issuer.replace(/\/+$/, '')}/pay/${link.token}`,
    status: link.status,
    amount: decimalOrNull(link.amount),
    localAmount: decimalOrNull(link.localAmount),
    localCurrency: isOpen ? null : link.localCurrency,
    openAmount: isOpen
      ? {
          localCurrency: link.localCurrency,
          min: decimalOrNull(link.minAmount),
          max: decimalOrNull(link.maxAmount),
        }
      : null,
    accept: link.accept,
    label: link.label,
    reference: link.reference,
    expiresAt: link.expiresAt.toISOString(),
    expirySeconds: link.sessionSeconds,
    maxSessions: link.maxSessions,
    sessions: link.sessions,
    paidSessions: link.paidSessions,
    disabledAt: link.disabledAt?.toISOString() ?? null,
    createdAt: link.createdAt.toISOString(),
  }
}

/** A link of the business. @throws ApiError 404, also for a link of another business */
export async function getPaymentLink(
  ctx: { db: Queryable; issuer: string },
  businessId: string,
  id: string,
): Promise<PaymentLinkView> {
  if (!isUuid(id)) throw notFound('Payment link')
  const [link] = await ctx.db.query<CountedLink>(
    `select ${linkColumns}, ${countColumns} from payment_links l where l.id = $1 and l.business_id = $2`,
    [id, businessId],
  )
  if (!link) throw notFound('Payment link')
  return presentLink(ctx, link)
}
