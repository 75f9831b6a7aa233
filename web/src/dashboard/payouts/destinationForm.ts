import type { DashboardBodyOf } from '../../../../client/index.ts'
import { textOf, trimmed } from '../formData.ts'
import type { PayoutBank } from './types.ts'

type NewDestination = DashboardBodyOf<'createPayoutDestinationOfBusiness'>

/** The request of a sent form. Empty fields are left out. */
export function destinationIn(data: FormData): NewDestination {
  const name = trimmed(data, 'name')
  const named = name ? { name } : {}
  if (textOf(data, 'kind') === 'wallet') {
    const memo = trimmed(data, 'memo')
    return {
      ...named,
      chain: textOf(data, 'chain') as NonNullable<NewDestination['chain']>,
      address: trimmed(data, 'address'),
      ...(memo
        ? { memo, memoType: textOf(data, 'memoType') as NonNullable<NewDestination['memoType']> }
        : {}),
    }
  }
  const currency = textOf(data, 'currency')
  return {
    ...named,
    networkId: textOf(data, 'networkId'),
    accountNumber: trimmed(data, 'accountNumber'),
    accountName: trimmed(data, 'accountName'),
    ...(currency ? { currency } : {}),
  }
}

/** The countries of the banks, each once. */
export const countriesOf = (banks: readonly PayoutBank[]): string[] =>
  [...new Set(banks.map(({ countryCode }) => countryCode))].sort()
