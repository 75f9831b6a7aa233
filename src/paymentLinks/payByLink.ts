import { createHash } from 'node:crypto'
import type { Actor } from '../audit/recordAudit.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Approval } from '../members/businessApproval.ts'
import { networkOf, siteOf } from '../platform/addresses.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { ApiError, BaseError, invalidBody } from '../platform/errors.ts'
import type { Payable } from '../pricing/priceRequest.ts'
import { payable, priceRequest } from '../pricing/priceRequest.ts'
import type { Rates } from '../pricing/rates.ts'
import type { Caps } from '../rateLimits/caps.ts'
import type { Limit, RateLimiter } from '../rateLimits/rateLimiter.ts'
import { tooManyRequests } from '../rateLimits/tooManyRequests.ts'
import type { CheckoutUrl } from '../sessions/checkout/checkoutToken.ts'
import { createSession } from '../sessions/createSession.ts'
import { decimalsIn } from './createPaymentLink.ts'
import { requireNamedAmount } from './namedAmount.ts'
import {
  decimalOrNull,
  isOpenAmount,
  type PaymentLinkRow,
  type PaymentLinkStatus,
  statusSql,
} from './paymentLink.ts'
import { type LinkForCustomer, mayTakePayments, readLink } from './readLink.ts'

export interface PayContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  rates: Rates
  caps: Pick<Caps, 'openSessions'>
  checkoutUrl: CheckoutUrl
  limiter: Pick<RateLimiter, 'count'>
  environment: 'test' | 'live'
}

export interface Choice {
  chain: string
  token: string
  amount?: string
  visit: string
}

export interface Chosen {
  isNew: boolean
  checkoutUrl: string
}

/** Sessions of one link that may wait at a time: each has a deposit address that is watched. */
export const maxWaiting = 500

const minute = 60
/**
 * Of these, those of the visitors of one network, and of one site (`siteOf`), in the time that a session
 * waits. Below those of the link: no single site uses these up.
 */
const sessionsOf = { network: 50, site: 150 }
/** Choices of the visitors of one network, of one site, and of all visitors of one link. */
const choicesPerMinute = { network: 20, site: 60, link: 240 }

/**
 * Makes a session of a link at a customer's choice, or returns that of an earlier request of the same visit
 * that still waits for its payment.
 * @param visitor whose address limits count, as the actor of the session
 * @throws ApiError 400 naming the field; 404; 409 `link_disabled`, `link_expired`, `link_used`, `link_busy`; 429;
 *   503 as for a session
 */
export async function payByLink(
  ctx: PayContext,
  visitor: Actor,
  token: string,
  choice: Choice,
): Promise<Chosen> {
  const link = await readLink(ctx, token)
  await countChoice(ctx.limiter, link.id, visitor.address ?? '')
  const visit = { hash: hashOf(link.id, choice.visit), choice: nameOf(choice) }
  const known = await sessionOfVisit(ctx.db, link.id, visit)
  if (known !== null) return { isNew: false, checkoutUrl: ctx.checkoutUrl(known) }
  requireActive(link.status)
  requireAccepted(link, choice)
  await countNew(ctx.limiter, link, visitor.address ?? '')
  const what = await payable(ctx, link.businessId, choice)
  // The customer can mend an amount that they named, or choose another token.
  const field = isOpenAmount(link) ? 'amount' : 'token'
  const price = await priceRequest(ctx, what, pricedBy(link, what, choice), field)
  const wanted = {
    actor: visitor,
    business: what.business,
    chain: what.chain,
    price,
    expirySeconds: link.sessionSeconds,
    label: link.label,
    reference: link.reference,
    metadata: null,
    linkId: link.id,
  }
  try {
    const session = await createSession(ctx, wanted, (tx, { id }) => keepVisit(ctx, tx, link, id, visit))
    return { isNew: true, checkoutUrl: session.checkoutUrl }
  } catch (error) {
    if (error instanceof SameVisitError)
      return { isNew: false, checkoutUrl: ctx.checkoutUrl(error.sessionId) }
    // Of the business's own bound its customer hears no more than of the link's.
    if (error instanceof ApiError && error.code === 'cap_reached') throw busy()
    throw error
  }
}

/** @throws ApiError 429 */
async function countChoice(
  limiter: Pick<RateLimiter, 'count'>,
  linkId: string,
  address: string,
): Promise<void> {
  await countEach(limiter, [
    ...limitsOf('link-visitor', linkId, address, choicesPerMinute, minute),
    { name: 'link', of: linkId, max: choicesPerMinute.link, windowSeconds: minute },
  ])
}

/** One network or site must not make all sessions of a link that may wait. @throws ApiError 429 */
const countNew = (
  limiter: Pick<RateLimiter, 'count'>,
  { id, sessionSeconds }: LinkForCustomer,
  address: string,
): Promise<void> => countEach(limiter, limitsOf('link-sessions', id, address, sessionsOf, sessionSeconds))

/** The limits of a visitor of a link: of its network, and of its site; IPv4 has none. */
function limitsOf(
  name: 'link-visitor' | 'link-sessions',
  linkId: string,
  address: string,
  max: { network: number; site: number },
  windowSeconds: number,
): Limit[] {
  const site = siteOf(address)
  return [
    { name, of: `${linkId} ${networkOf(address)}`, max: max.network, windowSeconds },
    ...(site === null
      ? []
      : [{ name: `${name}-site` as const, of: `${linkId} ${site}`, max: max.site, windowSeconds }]),
  ]
}

/**
 * Counts one after the other, the narrow ones first: who goes on beyond its own limit must not use up those
 * of others.
 * @throws ApiError 429
 */
async function countEach(limiter: Pick<RateLimiter, 'count'>, limits: readonly Limit[]): Promise<void> {
  for (const limit of limits) {
    const standing = await limiter.count(limit)
    if (standing.over) throw tooManyRequests(standing)
  }
}

interface Visit {
  hash: Buffer
  /** What was chosen, as a text. */
  choice: string
}

const hashOf = (linkId: string, visit: string): Buffer =>
  createHash('sha256').update(`cowry/payment-link-visit/${linkId}/${visit}`).digest()

const nameOf = ({ chain, token, amount = '' }: Choice): string => `${chain} ${token} ${amount}`

/** The session of an earlier choice that waits for its payment; null if there is none. */
async function sessionOfVisit(
  db: Pick<ModelTx, 'query'>,
  linkId: string,
  { hash, choice }: Visit,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `select s.id from payment_link_visits v join pos_sessions s on s.id = v.session_id
     where v.link_id = $1 and v.visit = $2 and v.choice = $3 and s.status = 'pending' and s.expires_at > now()
     order by s.created_at desc limit 1`,
    [linkId, hash, choice],
  )
  return row?.id ?? null
}

/** Another request of the same visit was first, and has its session. */
class SameVisitError extends BaseError {
  readonly code = 'same_visit'
  readonly retry = 'yes'
  readonly sessionId: string
  constructor(sessionId: string) {
    super('the visit has a session')
    this.sessionId = sessionId
  }
}

/**
 * Notes which visit made a session. Sessions of one link are made one after the other from here on, so that
 * none is made beyond a bound.
 */
async function keepVisit(
  ctx: Pick<PayContext, 'environment'>,
  tx: ModelTx,
  { id, businessId }: PaymentLinkRow,
  sessionId: string,
  visit: Visit,
): Promise<void> {
  // A suspension since then waits for this transaction, or is seen here.
  const [business] = await tx.query<{ approval: Approval }>(
    'select approval from businesses where id = $1 for key share',
    [businessId],
  )
  if (!business) throw new Error(`the business ${businessId} does not exist`)
  if (!mayTakePayments(ctx, business.approval)) requireActive('disabled')
  // Not `for update`: the rows that refer to the link would wait for it.
  await tx.query('select 1 from payment_links where id = $1 for no key update', [id])
  const known = await sessionOfVisit(tx, id, visit)
  if (known !== null) throw new SameVisitError(known)
  const [link] = await tx.query<{ status: PaymentLinkStatus; waiting: number }>(
    `select ${statusSql} as status,
       (select count(*)::int from pos_sessions where link_id = l.id and status = 'pending') as waiting
     from payment_links l where l.id = $1`,
    [id],
  )
  if (!link) throw new Error(`the payment link ${id} does not exist`)
  requireActive(link.status)
  // The new one is counted.
  if (link.waiting > maxWaiting) throw busy()
  await tx.query(
    'insert into payment_link_visits (session_id, link_id, visit, choice) values ($1, $2, $3, $4)',
    [sessionId, id, visit.hash, visit.choice],
  )
}

const refusals: Record<Exclude<PaymentLinkStatus, 'active'>, string> = {
  disabled: 'The business has switched this link off',
  expired: 'The time of this link is over',
  used: 'This link has been used',
}

/** @throws ApiError 409 */
function requireActive(status: PaymentLinkStatus): void {
  if (status !== 'active') throw new ApiError(409, `link_${status}`, refusals[status])
}

const busy = (): ApiError =>
  new ApiError(
    409,
    'link_busy',
    'Too many people are paying with this link right now; try again in some minutes',
  )

/** @throws ApiError 400 naming `token` */
function requireAccepted({ accept }: LinkForCustomer, { chain, token }: Choice): void {
  if (accept === null || accept.some((each) => each.chain === chain && each.token === token)) return
  throw invalidBody({
    field: 'token',
    message: `this link does not take ${token} on ${chain}`,
    code: 'unavailable_token',
  })
}

/** What is to be priced. @throws ApiError 400 naming `amount` */
function pricedBy(link: LinkForCustomer, what: Payable, { chain, token, amount }: Choice) {
  const of = { chain, token }
  if (!isOpenAmount(link)) {
    if (amount !== undefined)
      throw invalidBody({ field: 'amount', message: 'is fixed by this link', code: 'not_possible' })
    const fixed = decimalOrNull(link.amount)
    return fixed === null ? { ...of, ...localOf(link, link.localAmount) } : { ...of, amount: fixed }
  }
  if (amount === undefined)
    throw invalidBody({ field: 'amount', message: 'is required by this link', code: 'required' })
  requireNamedAmount(amount, {
    decimals: decimalsIn(link.localCurrency, [what]),
    min: decimalOrNull(link.minAmount),
    max: decimalOrNull(link.maxAmount),
  })
  return link.localCurrency === null ? { ...of, amount } : { ...of, ...localOf(link, amount) }
}

function localOf({ localCurrency }: LinkForCustomer, numeric: string | null) {
  const localAmount = decimalOrNull(numeric)
  if (localAmount === null || localCurrency === null) throw new Error('a local amount has a currency')
  return { localAmount, localCurrency }
}
