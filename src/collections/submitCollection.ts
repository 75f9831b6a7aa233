import { addressCodec } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import { PartnerError } from '../partnerPayments/partnerError.ts'
import { refusesCredentials } from '../partnerPayments/partnerReasons.ts'
import type { Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Secret } from '../platform/secrets.ts'
import { applyAnswer } from './applyAnswer.ts'
import { type Collection, readCollections } from './collection.ts'
import type { PartnerContext } from './context.ts'
import { type CollectionChange, moveCollection } from './moveCollection.ts'
import { openPayer, type Payer } from './sealedPayer.ts'

/** From the claim until its answer is stored; then a worker queries it. */
export const answerMs = 30_000
/** After a request whose answer was lost. */
const lostMs = 5000
const busyMs = 5000
const mendedMs = 60_000

/** The payer of a stored collection, as `openPayer` gives it. It goes to the partner only. */
export async function payerOf(
  appKey: Secret,
  db: Queryable,
  collection: Collection,
): Promise<ReturnType<typeof openPayer>> {
  const { id, businessId } = collection
  const [row] = await db.query<{ sealed: Buffer }>(
    'select sealed_payer as sealed from fiat_collections where id = $1 and business_id = $2',
    [id, businessId],
  )
  if (!row) throw new Error(`collection ${id} is gone`)
  return openPayer(appKey, collection, row.sealed)
}

/**
 * Requests a collection from the partner once. Its row has `submittedAt`: it may have been requested. Our
 * id is its `sequenceId`, so that the partner never makes two.
 * @returns the collection as it is then
 */
export async function submitCollection(
  ctx: PartnerContext,
  claimed: Collection,
  payer: Payer,
): Promise<Collection> {
  const askedAt = new Date()
  const after = await submit(ctx, claimed, payer, askedAt)
  failpoint('collections.partner-answered')
  return after ?? claimed
}

async function submit(
  ctx: PartnerContext,
  claimed: Collection,
  payer: Payer,
  askedAt: Date,
): Promise<Collection | null> {
  const { id, businessId, localAmount, channelId, country, currency, chain, token, address, memo } = claimed
  const network = ctx.partner.networkOf(chain, token)
  if (network === null) return afterRefusal(ctx, id, 'network_unavailable', { submittedAt: null })
  try {
    const answer = await ctx.partner.submit({
      sequenceId: id,
      localAmount,
      channelId,
      country,
      currency,
      ...payer,
      settlement: {
        address: addressCodec(registeredChain(chain).family).display(address),
        currency: token,
        network,
        ...(memo !== null && { tag: memo }),
      },
      customerId: payer.recipient.kind === 'business' ? businessId : id,
    })
    failpoint('collections.partner-submitted')
    return await applyAnswer(ctx, id, answer, askedAt)
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    ctx.log.warn(
      { collection: id, problem: error.problem, err: messageOf(error) },
      'a collection was not taken by the partner',
    )
    return afterFailure(ctx, claimed, error)
  }
}

async function afterFailure(
  ctx: PartnerContext,
  { id, tries }: Collection,
  error: PartnerError,
): Promise<Collection | null> {
  const again = (reason: string, nextInMs: number) =>
    change(ctx, id, { reason, submittedAt: null, absentSince: null, tries: tries + 1, nextInMs })
  switch (error.problem) {
    case 'throttled':
    case 'unavailable':
      return again('partner_busy', (error.retryAfterSeconds ?? 0) * 1000 || busyMs)
    case 'refused':
      if (!refusesCredentials(error.partnerCode)) return refused(ctx, id, error.partnerCode)
      ctx.alarm('not_authorized')
      return again('partner_not_authorized', mendedMs)
    default:
      return change(ctx, id, { reason: 'outcome_unknown', nextInMs: lostMs })
  }
}

/**
 * A second collection with one sequence id is refused too, so the partner is queried before this one has
 * failed. Its answer may lag: where an earlier request has no known outcome, the refusal is no end, and the
 * partner is queried for longer (`stepCollection`).
 */
async function refused(ctx: PartnerContext, id: string, code: string | null): Promise<Collection | null> {
  const askedAt = new Date()
  let found: Awaited<ReturnType<PartnerContext['partner']['find']>>
  try {
    found = await ctx.partner.find(id)
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    return change(ctx, id, { reason: 'outcome_unknown', nextInMs: lostMs })
  }
  if (found) return applyAnswer(ctx, id, found, askedAt)
  return afterRefusal(ctx, id, reasonOfRefusal(code))
}

/** @param more where nothing was sent this time */
const afterRefusal = (
  ctx: PartnerContext,
  id: string,
  reason: string,
  more: CollectionChange = {},
): Promise<Collection | null> =>
  change(ctx, id, ({ unsureSince }) =>
    unsureSince === null
      ? { ...more, status: 'failed', reason, nextInMs: null }
      : { reason: 'outcome_unknown', refusedReason: reason, nextInMs: lostMs },
  )

/**
 * The partner's codes (https://docs.yellowcard.engineering/docs/errors-api) as our reasons;
 * `AmountOutOfRange` is our client's.
 */
const refusals: Readonly<Record<string, string>> = {
  PaymentValidationError: 'partner_invalid_request',
  InvalidRequestBody: 'partner_invalid_request',
  InvalidPhoneNumberFormat: 'partner_invalid_phone',
  AmountOutOfRange: 'amount_out_of_range',
}
const reasonOfRefusal = (code: string | null): string => refusals[code ?? ''] ?? 'partner_refused'

/** An answer that came meanwhile, or an end, is newer: then nothing changes. */
async function change(
  ctx: PartnerContext,
  id: string,
  wanted: CollectionChange | ((now: Collection) => CollectionChange),
): Promise<Collection | null> {
  return ctx.db.tx(async (tx) => {
    const [now] = await readCollections(tx, 'id = $1 for update', [id])
    if (!now) return null
    if (now.status !== 'pending' || now.partnerPaymentId !== null) return now
    return moveCollection(tx, now, typeof wanted === 'function' ? wanted(now) : wanted)
  })
}
