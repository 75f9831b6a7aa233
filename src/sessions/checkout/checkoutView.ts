import { createHash } from 'node:crypto'
import { logoPath } from '../../businesses/logo/logo.ts'
import { type Chain, tokenOf } from '../../chains/registry.ts'
import { formatUnits } from '../../money/amount.ts'
import { paymentAddress, paymentUri } from '../paymentUri.ts'
import { chainOf, type PaymentView, plain, presentPayment, type SessionView } from '../present.ts'
import { returnUrlOf } from '../returnUrl.ts'
import { isPaid } from '../settle.ts'
import { minAmountOf } from '../tolerated.ts'
import type { StoredCheckout } from './readCheckouts.ts'

/**
 * What the customer of a session sees: how to pay, and how far the payment is. It holds nothing of the
 * business but its name and logo, and no id, reference or metadata of the session.
 */
export interface CheckoutView
  extends Pick<
    SessionView,
    | 'address'
    | 'amountExpected'
    | 'amountReceived'
    | 'chain'
    | 'confirmations'
    | 'createdAt'
    | 'exception'
    | 'expiresAt'
    | 'finality'
    | 'label'
    | 'localAmount'
    | 'localCurrency'
    | 'memo'
    | 'memoType'
    | 'muxedAddress'
    | 'paidAt'
    | 'paymentUri'
    | 'requiredConfirmations'
    | 'status'
    | 'token'
    | 'delayedSince'
  > {
  merchant: string
  /** The path of the business's logo. */
  logo?: string
  /** Only once the session is over, and while its host is one of the business's. */
  returnUrl?: string
  /** What is still to pay, seen or not: zero once enough was seen. `paymentUri` asks for this amount. */
  amountMissing: string
  /** The chain took a payment back, and the session is not paid. */
  isReversed: boolean
  payments: CheckoutPayment[]
}

/** A payment without its sender. */
export type CheckoutPayment = Pick<
  PaymentView,
  'amount' | 'blockTime' | 'chain' | 'exception' | 'status' | 'token' | 'txId'
>

export interface CheckoutContext {
  chains: readonly Chain[]
  /** The deployment's public URL. */
  issuer: string
}

/** @param now decides whether the chain is read late */
export function checkoutView(
  ctx: CheckoutContext,
  { session, payments, merchant }: StoredCheckout,
  heights: ReadonlyMap<string, number>,
  since: string | null,
): CheckoutView {
  const chain = chainOf(ctx, session.chain)
  const token = tokenOf(chain, session.token)
  if (!token) throw new Error(`${session.token} on ${session.chain} is not configured`)
  const views = payments.map((payment) => presentPayment(session, payment, { chains: ctx.chains, heights }))
  const counted = views.filter(({ status, exception }) => status !== 'reverted' && exception === 'none')
  const depths = counted.map(({ status, confirmations }) =>
    // Not above what is required: a paid session does not change with each block.
    status === 'confirmed'
      ? session.requiredConfirmations
      : Math.min(session.requiredConfirmations, confirmations),
  )
  const expected = BigInt(session.amountExpected)
  const received = BigInt(session.amountReceived)
  const isOpen = session.status === 'pending'
  const missing = isOpen && received < minAmountOf(session) ? expected - received : 0n
  const returnUrl =
    isOpen || session.returnUrl === null ? null : returnUrlOf(ctx, merchant.returnHosts, session.returnUrl)
  return {
    merchant: merchant.name,
    ...(merchant.logo !== null && { logo: logoPath(merchant.logo) }),
    label: session.label,
    chain: session.chain,
    token: session.token,
    ...paymentAddress(chain.family, session.address),
    amountExpected: formatUnits(expected, token.decimals),
    amountReceived: formatUnits(received, token.decimals),
    amountMissing: formatUnits(missing, token.decimals),
    localAmount: session.localAmount && plain(session.localAmount),
    localCurrency: session.localCurrency,
    paymentUri: paymentUri({
      chain,
      token,
      address: session.address,
      amount: missing === 0n ? expected : missing,
      label: session.label,
    }),
    status: session.status,
    exception: session.exception,
    isReversed: !isPaid(session.status) && payments.some(({ status }) => status === 'reverted'),
    confirmations: depths.length > 0 ? Math.min(...depths) : 0,
    requiredConfirmations: session.requiredConfirmations,
    finality: session.finality,
    payments: views.map(({ amount, blockTime, chain: on, exception, status, token: of, txId }) => ({
      amount,
      blockTime,
      chain: on,
      exception,
      status,
      token: of,
      txId,
    })),
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    paidAt: session.paidAt?.toISOString() ?? null,
    ...(since !== null && { delayedSince: since }),
    ...(returnUrl !== null && { returnUrl }),
  }
}

/** Identifies what a page shows: equal for equal views, also of two processes. */
export const versionOf = (view: CheckoutView): string =>
  createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 16)
