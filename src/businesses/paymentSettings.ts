import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { chainUnavailable, tokenUnavailable } from '../chains/requireChain.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import { accepts, getBusiness } from './business.ts'
import { readLogoPath } from './logo/logo.ts'
import type { Business } from './model.ts'
import { plain } from './operateBusinesses.ts'
import { checkedHosts } from './returnHosts.ts'
import { columnsOf, storedTolerance, type Tolerance } from './tolerance.ts'

export interface PaymentSettingsView {
  localCurrency: string | null
  /** Percent, exact decimals; the platform's operator sets both. */
  feePercent: string
  fxMarginPercent: string
  acceptsAll: boolean
  /** What may be missing of a payment, so that its session is paid all the same; null: nothing. */
  tolerance: Tolerance | null
  /** That the `returnUrl` of a session may have. */
  returnHosts: string[]
  /** Its path; null: none. */
  logo: string | null
  networks: { chain: string; tokens: { token: string; accepted: boolean }[] }[]
}

interface Context {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  /** The deployment's public URL. */
  issuer: string
}

/** A business's payment settings, over everything that the deployment offers. */
export async function getPaymentSettings(ctx: Context, businessId: string): Promise<PaymentSettingsView> {
  return present(ctx, await getBusiness(ctx, businessId))
}

/**
 * Sets which payments are accepted from now on.
 * @param wanted.accepted null: everything that the deployment offers, now and later
 * @param wanted.tolerance null: nothing may be missing; left out, it stays
 * @param wanted.returnHosts left out, they stay
 * @throws ApiError 400 naming every network and token that the deployment does not offer, and what is no host
 */
export async function setPaymentSettings(
  ctx: Context,
  actor: Actor,
  businessId: string,
  wanted: {
    localCurrency: string | null
    accepted: { chain: string; tokens: string[] }[] | null
    tolerance?: Tolerance | null
    returnHosts?: string[]
  },
): Promise<PaymentSettingsView> {
  const accepted = wanted.accepted && checked(ctx, wanted.accepted)
  const hosts = wanted.returnHosts && checkedHosts(ctx, wanted.returnHosts)
  const business = await getBusiness(ctx, businessId)
  await ctx.db.tx(async (tx) => {
    const { transaction } = tx
    await business.reload({ transaction, lock: transaction.LOCK.NO_KEY_UPDATE })
    const tolerance = storedTolerance(business)
    const { returnHosts } = business
    const before = {
      localCurrency: business.localCurrency,
      accepted: business.accepted,
      tolerance,
      returnHosts,
    }
    const after = {
      localCurrency: wanted.localCurrency,
      accepted,
      tolerance: wanted.tolerance === undefined ? tolerance : wanted.tolerance,
      returnHosts: hosts ?? returnHosts,
    }
    await business.update({ ...after, ...columnsOf(after.tolerance) }, { transaction })
    await recordAudit(tx, actor, {
      businessId,
      action: 'payments.changed',
      target: businessId,
      before,
      after,
    })
  })
  return present(ctx, business)
}

function checked(
  ctx: Context,
  accepted: readonly { chain: string; tokens: string[] }[],
): Record<string, string[]> {
  const mistakes: FieldMistake[] = []
  const chosen: Record<string, string[]> = {}
  for (const [index, { chain: name, tokens }] of accepted.entries()) {
    const field = `accepted.${index}`
    const chain = ctx.chains.find((each) => each.name === name)
    if (!chain)
      mistakes.push({ field: `${field}.chain`, message: chainUnavailable(name), code: 'unavailable_chain' })
    else if (chosen[name])
      mistakes.push({ field: `${field}.chain`, message: `${name} is listed twice`, code: 'duplicate' })
    for (const [at, token] of tokens.entries()) {
      if (chain && !chain.tokens.some(({ symbol }) => symbol === token))
        mistakes.push({
          field: `${field}.tokens.${at}`,
          message: tokenUnavailable(token, name),
          code: 'unavailable_token',
        })
    }
    chosen[name] = tokens
  }
  if (mistakes.length > 0) throw invalidBody(...mistakes)
  return chosen
}

const present = async (ctx: Context, business: Business): Promise<PaymentSettingsView> => ({
  localCurrency: business.localCurrency,
  feePercent: plain(business.feePercent),
  fxMarginPercent: plain(business.fxMarginPercent),
  acceptsAll: business.accepted === null,
  tolerance: storedTolerance(business),
  returnHosts: business.returnHosts,
  logo: await readLogoPath(ctx.db, business.id),
  networks: ctx.chains.map(({ name, tokens }) => ({
    chain: name,
    tokens: tokens.map(({ symbol }) => ({ token: symbol, accepted: accepts(business, name, symbol) })),
  })),
})
