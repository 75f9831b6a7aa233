import { type AmountLimit, boundsOf, mistakeOfUnits, readAmountLimits } from '../businesses/amountLimits.ts'
import { type ConfiguredChain, tokenOf } from '../chains/registry.ts'
import { formatUnits, parseUnits } from '../money/amount.ts'
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
  choices: PayableChoice[]
}

/** What a customer can choose, with what the business allows of it, in units of the token. */
export interface PayableChoice extends AcceptedChoice {
  min?: string
  max?: string
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
async function choicesOf(ctx: ShowContext, link: LinkForCustomer): Promise<PayableChoice[]> {
  const networks = await listNetworks(ctx, link.businessId)
  const limits = await readAmountLimits(ctx.db, link.businessId)
  const isAccepted = (choice: AcceptedChoice) =>
    link.accept === null ||
    link.accept.some(({ chain, token }) => chain === choice.chain && token === choice.token)
  return networks
    .filter(({ ready }) => ready)
    .flatMap(({ chain, tokens }) => tokens.map((token) => ({ chain, token })))
    .filter(isAccepted)
    .flatMap((choice) => withinLimits(ctx, limits, link, choice))
}

/** None where the fixed amount of the link is outside the limits of the choice. */
function withinLimits(
  ctx: ShowContext,
  limits: readonly AmountLimit[],
  link: LinkForCustomer,
  choice: AcceptedChoice,
): PayableChoice[] {
  const chain = ctx.chains.find(({ name }) => name === choice.chain)
  const token = chain && tokenOf(chain, choice.token)
  if (!chain || !token) return []
  const fixed = decimalOrNull(link.amount)
  if (fixed !== null) {
    const units = parseUnits(fixed, token.decimals)
    return units === null || mistakeOfUnits(limits, chain, token, units) ? [] : [choice]
  }
  const { min, max } = boundsOf(limits, chain, token)
  return [
    {
      ...choice,
      ...(min > 0n && { min: formatUnits(min, token.decimals) }),
      ...(max !== null && { max: formatUnits(max, token.decimals) }),
    },
  ]
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
