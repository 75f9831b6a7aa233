import type { CollectionPartner } from '../partnerPayments/collectionPartner.ts'
import { PartnerError } from '../partnerPayments/partnerError.ts'
import type { Db } from '../platform/database/db.ts'
import { isUuid } from '../platform/ids.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { applyAnswer } from './applyAnswer.ts'
import { partnerUnavailable } from './partnerUnavailable.ts'

interface Context {
  db: Db
  log: Log
  partner: Pick<CollectionPartner, 'name' | 'get'>
}

/**
 * Takes the webhook of a collection: it reports only that something changed, so the partner is queried.
 * @throws ApiError 503 `partner_unavailable`; a worker then reads it as well
 */
export async function takeCollectionWebhook(ctx: Context, partnerPaymentId: string): Promise<void> {
  const { name } = ctx.partner
  const askedAt = new Date()
  const answer = await ctx.partner.get(partnerPaymentId).catch(async (error: unknown) => {
    if (!(error instanceof PartnerError)) throw error
    await ctx.db.query(
      `update fiat_collections set next_at = now() where partner = $1 and partner_payment_id = $2 and status not in ('completed', 'refunded')`,
      [name, partnerPaymentId],
    )
    throw partnerUnavailable(error)
  })
  const id = answer && (await idOf(ctx, partnerPaymentId, answer.sequenceId))
  if (answer && id !== null) await applyAnswer({ ...ctx, alarm: () => {} }, id, answer, askedAt)
  else ctx.log.warn({ partner: name, partnerPaymentId }, 'a partner reported a collection that is not known')
}

/** Before its first answer a collection is known by our own id alone. */
async function idOf(
  { db, partner }: Context,
  partnerPaymentId: string,
  sequenceId: string | null,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `select id from fiat_collections where partner = $1 and (partner_payment_id = $2 or (partner_payment_id is null and id = $3 and (submitted_at is not null or unsure_since is not null)))`,
    [partner.name, partnerPaymentId, sequenceId !== null && isUuid(sequenceId) ? sequenceId : null],
  )
  return row?.id ?? null
}
