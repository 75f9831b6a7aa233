import type { DashboardBodyOf } from '../../../../client/index.ts'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { textOf, trimmed } from '../formData.ts'
import type { PaymentSettings } from '../types.ts'

export type NewPayment = DashboardBodyOf<'createSessionOfBusiness'>
type Chain = NewPayment['chain']
type Token = NewPayment['token']

const amountForm = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/

/** How long a payment may wait, in seconds. */
export const expiryChoices = [
  { value: '600', label: '10 minutes' },
  { value: '1800', label: '30 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
]

/**
 * The request of a sent form, whose controls have the names of the request's fields. Empty fields are left
 * out. @throws FieldProblem
 */
export function paymentIn(data: FormData): NewPayment {
  const priced = data.has('localAmount') ? 'localAmount' : 'amount'
  const amount = trimmed(data, priced)
  if (!amountForm.test(amount)) throw new FieldProblem({ [priced]: 'Enter an amount, such as 25 or 12.50.' })
  const [reference, label] = [trimmed(data, 'reference'), trimmed(data, 'label')]
  return {
    chain: textOf(data, 'chain') as Chain,
    token: textOf(data, 'token') as Token,
    [priced]: amount,
    expirySeconds: Number(textOf(data, 'expirySeconds')),
    ...(reference && { reference }),
    ...(label && { label }),
  }
}

/** The networks that a business accepts a token on. */
export const networksOf = (settings: PaymentSettings, token: string): Chain[] =>
  settings.networks.flatMap(({ chain, tokens }) =>
    tokens.some((each) => each.token === token && each.accepted) ? [chain] : [],
  )

/** The tokens that a business accepts on some network. */
export const tokensOf = ({ networks }: PaymentSettings): Token[] => [
  ...new Set(
    networks.flatMap(({ tokens }) => tokens.filter(({ accepted }) => accepted).map(({ token }) => token)),
  ),
]
