import type { MemoType } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import { assetsOf, type Chain, knownChain, tokenOf } from '../chains/registry.ts'
import { formatUnits, parseDecimal } from '../money/amount.ts'
import type { PayoutSkipped } from '../payouts/planAutomatic.ts'
import type { CheckoutUrl } from './checkout/checkoutToken.ts'
import type { PosSession } from './model.ts'
import { paymentAddress, paymentUri } from './paymentUri.ts'
import type { PaymentRecord } from './readPayments.ts'
import type { RefundRecord } from './readRefunds.ts'
import type { PaymentException } from './settle.ts'
import { exceptionOfPayment, isPaid } from './settle.ts'
import type { StoredSession } from './storedSession.ts'
import { shortOf } from './tolerated.ts'

/** A session as in API answers and webhooks. Amounts are decimal strings, times ISO 8601 in UTC. */
export interface SessionView {
  id: string
  chain: string
  address: string
  /**
   * Only for a shared `address`: the memo of the payment, and address and memo in one for wallets that
   * support it.
   */
  memo?: string
  memoType?: MemoType
  muxedAddress?: string
  token: string
  amountExpected: string
  amountReceived: string
  /** Only where less than the requested amount is enough: how much may be missing. */
  amountTolerated?: string
  /** Only where it is paid with less than the requested amount, within the tolerance. */
  amountShort?: string
  status: PosSession['status']
  exception: PosSession['exception']
  expiresAt: string
  label: string | null
  reference: string | null
  metadata: Record<string, unknown> | null
  /** Only of a session that a payment link made. */
  linkId?: string
  /** Only where it was given: where the customer goes back to. */
  returnUrl?: string
  /** Only where it was given: gets its events, in addition to the endpoints. */
  webhookUrl?: string
  localAmount: string | null
  localCurrency: string | null
  rate: string | null
  rateAt: string | null
  rateSource: string | null
  fee: string
  feeCurrency: string
  fxMargin: string
  paymentUri: string
  /** The page where the customer pays. */
  checkoutUrl: string
  confirmations: number
  requiredConfirmations: number
  /** What makes a payment final: `requiredConfirmations`, or that the chain calls its block finalized. */
  finality: PosSession['finality']
  payments: PaymentView[]
  createdAt: string
  paidAt: string | null
  /** Only where autopayout made no payout. */
  payoutSkipped?: PayoutSkipped
  /** What a person decided about money that came otherwise than expected. */
  resolution: PosSession['resolution']
  /** Refunds that have arrived, in the session's token on its chain. */
  amountRefunded: string
  /**
   * Only while an excess waits: how much, in the session's token, and until when it is not the
   * business's by itself.
   */
  held?: { amount: string; until: string }
  /** Newest first. */
  refunds: ShortRefund[]
  /** Only for a new session on a stale chain: the time since which payments are not seen. */
  delayedSince?: string
}

/** A refund in the answers of its session. `GET …/refunds/{refundId}` answers all of it. */
export type ShortRefund = ReturnType<typeof presentRefund>

export interface PaymentView {
  txId: string
  chain: string
  token: string
  amount: string
  from: string
  /** The customer's memo, if any. */
  memo?: string
  memoType?: MemoType
  blockHeight: number
  blockTime: string
  status: PaymentRecord['status']
  exception: PaymentException
  confirmations: number
  /** Null: the chain must call the block finalized. */
  requiredConfirmations: number | null
}

/** What presenting a session needs: the configured chains, and how far each was read. */
export interface PresentContext {
  chains: readonly Chain[]
  checkoutUrl: CheckoutUrl
  /** Height of the newest committed block, by chain. */
  heights: ReadonlyMap<string, number>
}

export function presentSession(
  session: StoredSession,
  payments: readonly PaymentRecord[],
  context: PresentContext,
  refunds: readonly RefundRecord[],
): SessionView {
  const chain = chainOf(context, session.chain)
  const token = tokenOf(chain, session.token)
  if (!token)
    throw new Error(
      `${session.token} on ${session.chain} is not configured, but sessions use it; configure it again`,
    )
  const { decimals } = token
  const amountExpected = BigInt(session.amountExpected)
  const views = payments.map((payment) => presentPayment(session, payment, context))
  const counted = views.filter((view) => view.status !== 'reverted' && view.exception === 'none')
  return {
    id: session.id,
    chain: session.chain,
    ...paymentAddress(chain.family, session.address),
    token: session.token,
    amountExpected: formatUnits(amountExpected, decimals),
    amountReceived: formatUnits(BigInt(session.amountReceived), decimals),
    ...toleranceOf(session, decimals),
    status: session.status,
    exception: session.exception,
    expiresAt: session.expiresAt.toISOString(),
    label: session.label,
    reference: session.reference,
    metadata: session.metadata,
    ...(session.linkId !== null && { linkId: session.linkId }),
    ...(session.returnUrl !== null && { returnUrl: session.returnUrl }),
    ...(session.webhookUrl !== null && { webhookUrl: session.webhookUrl }),
    localAmount: session.localAmount && plain(session.localAmount),
    localCurrency: session.localCurrency,
    rate: session.rate && plain(session.rate),
    rateAt: session.rateAt?.toISOString() ?? null,
    rateSource: session.rateSource,
    fee: plain(session.fee),
    feeCurrency: session.feeCurrency,
    fxMargin: plain(session.fxMarginPercent),
    paymentUri: paymentUri({
      chain,
      token,
      address: session.address,
      amount: amountExpected,
      label: session.label,
    }),
    checkoutUrl: context.checkoutUrl(session.id),
    // The payment with the fewest confirmations delays the session.
    confirmations: counted.length > 0 ? Math.min(...counted.map((view) => view.confirmations)) : 0,
    requiredConfirmations: session.requiredConfirmations,
    finality: session.finality,
    payments: views,
    createdAt: session.createdAt.toISOString(),
    paidAt: session.paidAt?.toISOString() ?? null,
    ...(session.payoutSkipped && { payoutSkipped: session.payoutSkipped }),
    resolution: session.resolution,
    amountRefunded: formatUnits(refunded(session, refunds), decimals),
    ...(session.heldUntil !== null && {
      held: {
        amount: formatUnits(BigInt(session.amountHeld), decimals),
        until: session.heldUntil.toISOString(),
      },
    }),
    refunds: refunds.map((refund) => presentRefund(refund, context)),
  }
}

function toleranceOf(
  session: StoredSession,
  decimals: number,
): Pick<SessionView, 'amountTolerated' | 'amountShort'> {
  const short = shortOf(session, isPaid(session.status), BigInt(session.amountSettled))
  return {
    ...(session.amountTolerated !== '0' && {
      amountTolerated: formatUnits(BigInt(session.amountTolerated), decimals),
    }),
    ...(short > 0n && { amountShort: formatUnits(short, decimals) }),
  }
}

const refunded = ({ chain, token }: StoredSession, refunds: readonly RefundRecord[]): bigint =>
  refunds.reduce(
    (sum, each) =>
      sum + (each.status === 'completed' && each.chain === chain && each.token === token ? each.amount : 0n),
    0n,
  )

const presentRefund = (refund: RefundRecord, context: PresentContext) => ({
  id: refund.id,
  kind: refund.kind,
  status: refund.status,
  amount: formatUnits(refund.amount, decimalsOf(context, refund.chain, refund.token)),
  token: refund.token,
  chain: refund.chain,
  txHash: refund.txHash,
  createdAt: refund.createdAt.toISOString(),
  completedAt: refund.completedAt?.toISOString() ?? null,
})

export function presentPayment(
  session: Pick<PosSession, 'chain' | 'token' | 'status' | 'expiresAt'>,
  payment: PaymentRecord,
  context: Pick<PresentContext, 'chains' | 'heights'>,
): PaymentView {
  const height = context.heights.get(payment.chain) ?? 0
  return {
    txId: payment.txId,
    chain: payment.chain,
    token: payment.token,
    amount: formatUnits(payment.amount, decimalsOf(context, payment.chain, payment.token)),
    from: addressCodec(chainOf(context, payment.chain).family).display(payment.from),
    ...(payment.memo && { memo: payment.memo.value, memoType: payment.memo.type }),
    blockHeight: payment.blockHeight,
    blockTime: payment.blockTime.toISOString(),
    status: payment.status,
    exception: exceptionOfPayment(session, payment),
    confirmations: payment.status === 'reverted' ? 0 : Math.max(0, height - payment.blockHeight + 1),
    requiredConfirmations: payment.depth,
  }
}

export function chainOf(context: Pick<PresentContext, 'chains'>, name: string): Chain {
  const chain = context.chains.find((each) => each.name === name) ?? knownChain(name)
  if (!chain) throw new Error(`sessions use the unknown chain ${name}`)
  return chain
}

export function decimalsOf(context: Pick<PresentContext, 'chains'>, chain: string, symbol: string): number {
  const asset = assetsOf(chainOf(context, chain)).find((each) => each.symbol === symbol)
  if (!asset)
    throw new Error(`${symbol} on ${chain} is not configured, but payments use it; configure it again`)
  return asset.decimals
}

/** Removes trailing zeros from a database `numeric`. */
export function plain(numeric: string): string {
  const decimal = parseDecimal(numeric)
  if (!decimal) throw new Error(`not a decimal: ${numeric}`)
  return formatUnits(decimal.value, decimal.scale)
}
