import { proofMessage } from '../custody/proof.ts'

/**
 * The part of a destination that is proven to the treasury. The account of a bank is sealed, with its
 * business and bank.
 */
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
  /** A second owner has to approve it. Left out: false. */
  needsApproval?: boolean
}

/** A shorter cooling-off time or a missing approval, like another address, needs another proof of the api. */
export function destinationMessage(destination: ProvenDestination): Buffer {
  const {
    id,
    businessId,
    kind,
    networkId,
    currency,
    chain,
    address,
    memo,
    memoType,
    usableFrom,
    needsApproval,
  } = destination
  const fields = [
    id,
    businessId,
    kind,
    networkId,
    currency,
    chain,
    address,
    memo,
    memoType,
    usableFrom.toISOString(),
  ]
  // Older proofs have no such field.
  return proofMessage('destination', needsApproval ? [...fields, 'needs approval'] : fields)
}
