import type { Terms } from '../sending.ts'

/** Terms of a transaction, in addition to transfer and sequence. */
export type StellarTerms = {
  /** Stroops: the bid for the whole transaction, its maximum cost. */
  fee: string
  /** Unix seconds; 0: valid at once. */
  minTime: 0
  /** Unix seconds: no ledger that closes later includes it. */
  maxTime: number
  /** The transfer opens the recipient's account. */
  creates: boolean
  /** The transfer becomes a claimable balance. Left out otherwise: requests under way keep their proofs. */
  claimable?: true
}

/** @throws if they are terms of another family */
export function stellarTerms({ fee, minTime, maxTime, creates, claimable }: Terms): StellarTerms {
  const whole = typeof fee === 'string' && /^[1-9]\d{0,9}$/.test(fee) && Number.isSafeInteger(maxTime)
  const flags = typeof creates === 'boolean' && (claimable === undefined || (claimable === true && !creates))
  if (!whole || minTime !== 0 || typeof maxTime !== 'number' || !flags)
    throw new Error('the terms are not those of a Stellar transaction')
  return { fee, minTime, maxTime, creates, ...(claimable && { claimable }) }
}
