import { newLinkToken } from '../../src/paymentLinks/linkToken.ts'
import type { Queryable } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'

/** Stores a payment link of 10 tokens. */
export async function makePaymentLink(
  db: Queryable,
  businessId: string,
): Promise<{ id: string; token: string }> {
  const link = { id: newId(), token: newLinkToken() }
  await db.query(
    `insert into payment_links (id, business_id, token, amount, session_seconds, created_at, expires_at)
     values ($1, $2, $3, 10, 1800, now(), now() + interval '1 year')`,
    [link.id, businessId, link.token],
  )
  return link
}
