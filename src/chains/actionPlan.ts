/**
 * The rest of a transaction, beyond action and nonce, as the chain reported it: fees, limits, a recent block. Stored as JSON with the intent, so
 * that signing needs no node; large whole numbers are decimal strings. Each family reads only its own.
 */
export type Terms = Readonly<Record<string, string | number | boolean | null>>

/** Something that the sender lacks. */
export interface Shortage {
  /** `token`: what is sent. `native`: the coin that pays fees and other costs. */
  kind: 'token' | 'native'
  symbol: string
  decimals: number
  /** Base units. */
  required: bigint
  /** What one transaction can send. */
  available: bigint
  /** What the sender holds, where one transaction cannot send all of it. Only on Solana. */
  held?: bigint
}

export interface ActionPlan {
  terms: Terms
  /** Base units of the native coin. */
  fee: { expected: bigint; max: bigint }
  /** Native coin on top of fee and amount: rent of an account that the action opens, Tron's fee for a new account. */
  otherCosts: bigint
  /** Empty if the sender can pay for everything at the maximum fee. */
  shortages: readonly Shortage[]
}
