import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { getPaymentLink, type PaymentLinkView } from './paymentLink.ts'

interface Change {
  disabled?: boolean
  label?: string | null
}

/** What a change can set, as the audit log has it. */
type Changed = { disabled: boolean; label: string | null }

/**
 * Switches a link off or on, and names it.
 * @param also runs in the transaction, with the link as it is now and what changed
 * @throws ApiError 404
 */
export async function changePaymentLink(
  ctx: { db: ModelDb; issuer: string },
  businessId: string,
  id: string,
  change: Change,
  also: (
    tx: ModelTx,
    result: { view: PaymentLinkView; before: Partial<Changed>; after: Partial<Changed> },
  ) => Promise<void>,
): Promise<PaymentLinkView> {
  if (!isUuid(id)) throw notFound('Payment link')
  return ctx.db.tx(async (tx) => {
    const [was] = await tx.query<Changed>(
      `select disabled_at is not null as disabled, label from payment_links
       where id = $1 and business_id = $2 for no key update`,
      [id, businessId],
    )
    if (!was) throw notFound('Payment link')
    const { disabled = was.disabled, label = was.label } = change
    await tx.query(
      `update payment_links set label = $3, disabled_at = case when $4 then coalesce(disabled_at, now()) end
       where id = $1 and business_id = $2`,
      [id, businessId, label, disabled],
    )
    const view = await getPaymentLink({ db: tx, issuer: ctx.issuer }, businessId, id)
    await also(tx, { view, ...differenceOf(was, { disabled, label }) })
    return view
  })
}

function differenceOf(was: Changed, is: Changed): { before: Partial<Changed>; after: Partial<Changed> } {
  const changed = (['disabled', 'label'] as const).filter((name) => was[name] !== is[name])
  const only = (of: Changed) =>
    Object.fromEntries(changed.map((name) => [name, of[name]])) as Partial<Changed>
  return { before: only(was), after: only(is) }
}
