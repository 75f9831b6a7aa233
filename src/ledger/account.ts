/** An account grows by postings on its normal side: debits are positive amounts, credits negative ones. */
export type Side = 'debit' | 'credit'

/** What the platform owes to a business is a credit; `receivable`, what the business owes, a debit. */
const ofBusiness = {
  pending: 'credit',
  available: 'credit',
  receivable: 'debit',
  payouts_held: 'credit',
  stakes: 'credit',
  credit: 'credit',
  credit_held: 'credit',
} as const satisfies Record<string, Side>

/** Income, debts and the operator's own money are credits; costs a debit. */
const ofPlatform = {
  fees: 'credit',
  fx_margin: 'credit',
  /**
   * What bank payouts gained by exchange, less what they lost: the token's worth at par against what the
   * partner took.
   */
  fx_result: 'credit',
  /** Funded by the operator, and never negative. */
  rewards: 'credit',
  penalties: 'credit',
  rounding: 'credit',
  /** Owed to an unknown owner. */
  suspense: 'credit',
  /** The platform's position in each asset: an exchange of two assets balances in each of them. */
  exchange: 'credit',
  /** Money that the operator put in, less what was taken out. */
  capital: 'credit',
  network_costs: 'debit',
} as const satisfies Record<string, Side>

/** Where money is held: one account for each chain or partner, such as `deposits:ethereum`. */
const ofPlaces = {
  deposits: 'debit',
  treasury: 'debit',
  staking: 'debit',
  partner: 'debit',
} as const satisfies Record<string, Side>

export type BusinessAccountName = keyof typeof ofBusiness
export type PlatformAccountName = keyof typeof ofPlatform | `${keyof typeof ofPlaces}:${string}`

/**
 * An account of a business, or of the platform, in one asset. Names and sides are fixed from its first
 * posting on; the database checks both.
 */
export type Account =
  | { name: BusinessAccountName; businessId: string; asset: string }
  | { name: PlatformAccountName; businessId: null; asset: string }

export const platformAccount = (
  name: PlatformAccountName,
  asset: string,
): Account & { businessId: null } => ({ name, businessId: null, asset })

export const businessAccountNames = Object.keys(ofBusiness) as BusinessAccountName[]

export function normalSide(account: Account): Side {
  if (account.businessId !== null) return ofBusiness[account.name]
  const [name] = account.name.split(':')
  return { ...ofPlatform, ...ofPlaces }[name as keyof typeof ofPlatform | keyof typeof ofPlaces]
}

/** Identifies an account, as a key of a map. */
export const accountKey = ({
  name,
  businessId,
  asset,
}: {
  name: string
  businessId: string | null
  asset: string
}): string => JSON.stringify([name, businessId, asset])
