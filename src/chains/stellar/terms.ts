import type { Terms } from '../sending.ts'

/** What a transaction needs besides intent and sequence. */
export type StellarTerms = {
  /** Stroops: what is bid for the whole transaction, and so the most that it can cost. */
  fee: string
  /** Unix seconds; 0: from now on. */
  minTime: 0
  /** Unix seconds: no ledger that closes later holds it. */
  maxTime: number
  /** The transfer opens the recipient's account. */
  creates: boolean
}

/** @throws where they are those of another family */
export function stellarTerms({ fee, minTime, maxTime, creates }: Terms): StellarTerms {
  const whole = typeof fee === 'string' && /^[1-9]\d{0,9}$/.test(fee) && Number.isSafeInteger(maxTime)
  if (!whole || minTime !== 0 || typeof maxTime !== 'number' || typeof creates !== 'boolean')
    throw new Error('these are not terms of a Stellar transaction')
  return { fee, minTime, maxTime, creates }
}
