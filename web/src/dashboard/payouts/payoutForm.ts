import type { DashboardBodyOf } from '../../../../client/index.ts'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import type { Balance } from '../books/types.ts'
import { textOf, trimmed } from '../formData.ts'
import { chainLabel, isChain, isToken } from '../labels.ts'
import type { Destination } from './types.ts'

export type NewPayout = DashboardBodyOf<'createPayoutOfBusiness'>
/** A payout to a saved destination. */
export type PayoutDraft = Pick<NewPayout, 'amount' | 'source' | 'reference'> & { destinationId: string }

interface SourceChoice {
  value: string
  label: string
  /** How much there is, with its symbol. */
  available: string
}

/** The balances that money can be taken from, as choices. */
export const sourceChoices = (balances: readonly Balance[]): SourceChoice[] =>
  balances.flatMap(({ asset, available, symbol }) => {
    const source = sourceOf(asset)
    return source && isPositive(available)
      ? [
          {
            value: asset,
            label: `${symbol} on ${chainLabel(source.chain)}`,
            available: `${available} ${symbol}`,
          },
        ]
      : []
  })

/** `base:USDC` as the API takes it; undefined for an asset that cannot be paid out. */
export function sourceOf(asset: string): NewPayout['source'] | undefined {
  const [chain = '', token = ''] = asset.split(':')
  return isChain(chain) && isToken(token) ? { chain, token } : undefined
}

const isPositive = (amount: string): boolean => !amount.startsWith('-') && /[1-9]/.test(amount)

/** A decimal as the API takes it. */
export const decimalForm = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/

/** A sent form. @throws FieldProblem */
export function draftIn(data: FormData): PayoutDraft {
  const source = sourceOf(textOf(data, 'source'))
  if (!source) throw new FieldProblem({ source: 'Choose one.' })
  const amount = trimmed(data, 'amount')
  if (!decimalForm.test(amount)) throw new FieldProblem({ amount: 'Enter an amount, such as 25 or 12.50.' })
  const reference = trimmed(data, 'reference')
  return { source, amount, destinationId: textOf(data, 'destination'), ...(reference ? { reference } : {}) }
}

/** The asset of a source, as balances name it. */
export const assetOf = ({ chain, token }: NewPayout['source']): string => `${chain}:${token}`

type Place = Pick<Destination, 'kind' | 'chain'>

/** Destinations that the money fits: bank accounts, and wallets on its chain; the others come after them. */
export function fittingFirst<D extends Place>(destinations: readonly D[], asset: string | undefined): D[] {
  const chain = asset?.split(':')[0]
  const fits = (each: D) => each.kind === 'bank' || each.chain === chain
  return [...destinations.filter(fits), ...destinations.filter((each) => !fits(each))]
}
