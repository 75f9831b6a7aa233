import { proofMessage } from '../custody/proof.ts'

/** The part of a destination that is proven to the treasury. The account of a bank is sealed, with its business and bank. */
export interface ProvenDestination {
  id: string
  businessId: string
  kind: 'bank' | 'wallet'
  networkId: string | null
  currency: string | null
  chain: string | null
  address: string | null
  memo: string | null
  memoType: string | null
  usableFrom: Date
}

/** A shorter cooling-off time, like another address, needs another proof of the api. */
export function destinationMessage(destination: ProvenDestination): Buffer {
  const { id, businessId, kind, networkId, currency, chain, address, memo, memoType, usableFrom } = destination
  return proofMessage('destination', [id, businessId, kind, networkId, currency, chain, address, memo, memoType, usableFrom.toISOString()])
}
