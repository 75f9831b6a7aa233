import type { ConfiguredChain } from '../chains/registry.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { listNetworks } from '../sessions/listNetworks.ts'
import { decimalsIn } from './createPaymentLink.ts'
import { type AcceptedChoice, decimalOrNull, isOpenAmount, type PaymentLinkStatus } from './paymentLink.ts'
import { type LinkForCustomer, readLink } from './readLink.ts'

export interface ShowContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  paymentPartner: object | null
  environment: 'test' | 'live'
}

/** A link as its customer sees it: nothing of the business but its name, and no price. */
export interface PayableLink {
  merchant: string
  label: string | null
  status: PaymentLinkStatus
  amount: string | null
  localAmount: string | null
  localCurrency: string | null
  openAmount: {
    localCurrency: string | null
    decimals: number
    min: string | null
    max: string | null
  } | null
  choices: AcceptedChoice[]
}

/** @throws ApiError 404 */
export async function showLink(ctx: ShowContext, token: string): Promise<PayableLink> {
  const link = await readLink(ctx, token)
  const choices = link.status === 'active' ? await choicesOf(ctx, link) : []
  const isOpen = isOpenAmount(link)
  return {
    merchant: link.merchant,
    label: link.label,
    status: link.status,
    amount: decimalOrNull(link.amount),
    localAmount: decimalOrNull(link.localAmount),
    localCurrency: isOpen ? null : link.localCurrency,
    openAmount: isOpen ? openAmountOf(ctx, link, choices) : null,
    choices,
  }
}

/** What the business takes payments in now, of what the link accepts. */
async function choicesOf(ctx: ShowContext, link: LinkForCustomer): Promise<AcceptedChoice[]> {
  const networks = await listNetworks(ctx, link.businessId)
  const isAccepted = (choice: AcceptedChoice) =>
    link.accept === null ||
    link.accept.some(({ chain, token }) => chain === choice.chain && token === choice.token)
  return networks
    .filter(({ ready }) => ready)
    .flatMap(({ chain, tokens }) => tokens.map((token) => ({ chain, token })))
    .filter(isAccepted)
}

function openAmountOf(
  ctx: ShowContext,
  { localCurrency, minAmount, maxAmount }: LinkForCustomer,
  choices: readonly AcceptedChoice[],
): PayableLink['openAmount'] {
  const tokens = ctx.chains.flatMap((chain) =>
    chain.tokens
      .filter(({ symbol }) => choices.some((each) => each.chain === chain.name && each.token === symbol))
      .map((token) => ({ token })),
  )
  return {
    localCurrency,
    decimals: decimalsIn(localCurrency, tokens),
    min: decimalOrNull(minAmount),
    max: decimalOrNull(maxAmount),
  }
}
