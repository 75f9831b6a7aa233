import { formatUnits, parseDecimal } from '../chains/amount.ts'
import { addressCodec } from '../chains/family.ts'
import { assetsOf, type Chain, knownChain } from '../chains/registry.ts'
import type { PosSession } from './model.ts'
import type { PaymentRecord } from './readPayments.ts'
import type { PaymentException } from './settle.ts'
import { exceptionOfPayment } from './settle.ts'

/** A session as the API answers it and as webhooks carry it. Amounts are decimal strings, times ISO 8601 in UTC. */
export interface SessionView {
  id: string
  chain: string
  address: string
  token: string
  amountExpected: string
  amountReceived: string
  status: PosSession['status']
  exception: PosSession['exception']
  expiresAt: string
  label: string | null
  reference: string | null
  metadata: Record<string, unknown> | null
  localAmount: string | null
  localCurrency: string | null
  rate: string | null
  fee: string
  feeCurrency: string
  fxMargin: string
  paymentUri: string
  confirmations: number
  requiredConfirmations: number
  /** What makes a payment final: `requiredConfirmations`, or that the chain calls its block finalized. */
  finality: PosSession['finality']
  payments: PaymentView[]
  createdAt: string
  paidAt: string | null
}

export interface PaymentView {
  txId: string
  chain: string
  token: string
  amount: string
  from: string
  blockHeight: number
  blockTime: string
  status: PaymentRecord['status']
  exception: PaymentException
  confirmations: number
  /** Null: the chain must call the block finalized. */
  requiredConfirmations: number | null
}

/** What a session is shown with: its own row, its payments, and how far each chain was read. */
export interface Surroundings {
  chains: readonly Chain[]
  /** Height of the newest committed block, by chain. */
  heights: ReadonlyMap<string, number>
}

export function presentSession(session: PosSession, payments: readonly PaymentRecord[], around: Surroundings): SessionView {
  const chain = chainOf(around, session.chain)
  const decimals = decimalsOf(around, session.chain, session.token)
  const amountExpected = BigInt(session.amountExpected)
  const views = payments.map((payment) => presentPayment(session, payment, around))
  const counted = views.filter((view) => view.status !== 'reverted' && view.exception === 'none')
  const { display } = addressCodec(chain.family)
  return {
    id: session.id,
    chain: session.chain,
    address: display(session.address),
    token: session.token,
    amountExpected: formatUnits(amountExpected, decimals),
    amountReceived: formatUnits(BigInt(session.amountReceived), decimals),
    status: session.status,
    exception: session.exception,
    expiresAt: session.expiresAt.toISOString(),
    label: session.label,
    reference: session.reference,
    metadata: session.metadata,
    localAmount: session.localAmount && plain(session.localAmount),
    localCurrency: session.localCurrency,
    rate: session.rate && plain(session.rate),
    fee: plain(session.fee),
    feeCurrency: session.feeCurrency,
    fxMargin: plain(session.fxMarginPercent),
    paymentUri: paymentUri(chain, session, amountExpected),
    // The least confirmed payment holds the session up.
    confirmations: counted.length > 0 ? Math.min(...counted.map((view) => view.confirmations)) : 0,
    requiredConfirmations: session.requiredConfirmations,
    finality: session.finality,
    payments: views,
    createdAt: session.createdAt.toISOString(),
    paidAt: session.paidAt?.toISOString() ?? null,
  }
}

export function presentPayment(
  session: Pick<PosSession, 'chain' | 'token' | 'status' | 'expiresAt'>,
  payment: PaymentRecord,
  around: Surroundings,
): PaymentView {
  const height = around.heights.get(payment.chain) ?? 0
  return {
    txId: payment.txId,
    chain: payment.chain,
    token: payment.token,
    amount: formatUnits(payment.amount, decimalsOf(around, payment.chain, payment.token)),
    from: addressCodec(chainOf(around, payment.chain).family).display(payment.from),
    blockHeight: payment.blockHeight,
    blockTime: payment.blockTime.toISOString(),
    status: payment.status,
    exception: exceptionOfPayment(session, payment),
    confirmations: payment.status === 'reverted' ? 0 : Math.max(0, height - payment.blockHeight + 1),
    requiredConfirmations: payment.depth,
  }
}

export function chainOf(around: Pick<Surroundings, 'chains'>, name: string): Chain {
  const chain = around.chains.find((each) => each.name === name) ?? knownChain(name)
  if (!chain) throw new Error(`there are sessions on ${name}, which nobody knows`)
  return chain
}

export function decimalsOf(around: Pick<Surroundings, 'chains'>, chain: string, symbol: string): number {
  const asset = assetsOf(chainOf(around, chain)).find((each) => each.symbol === symbol)
  if (!asset) throw new Error(`${symbol} on ${chain} is not configured, but there are sessions in it`)
  return asset.decimals
}

/** EIP-681: what a wallet reads from a QR code. */
function paymentUri(chain: Chain, session: PosSession, amount: bigint): string {
  const token = chain.tokens.find((each) => each.symbol === session.token)
  const { display } = addressCodec(chain.family)
  return `ethereum:${display(token?.contract ?? '')}@${chain.chainId}/transfer?address=${display(session.address)}&uint256=${amount}`
}

/** A `numeric` of the database without its trailing zeros. */
export function plain(numeric: string): string {
  const decimal = parseDecimal(numeric)
  if (!decimal) throw new Error(`not a decimal: ${numeric}`)
  return formatUnits(decimal.value, decimal.scale)
}
