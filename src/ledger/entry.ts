import { type Account, accountKey } from './account.ts'

/** The asset of postings: a token on a chain. */
export const tokenAsset = (chain: string, token: string): string => `${chain}:${token}`

/** The asset of a partner's account: US dollars, in millionths. */
export const dollars = 'USD'

/** One line of an entry, in base units: debits are positive, credits negative. */
export interface Posting {
  account: Account
  amount: bigint
}

/** One line for each account; no line for one that does not change. */
export const summed = (lines: readonly Posting[]): Posting[] =>
  [...Map.groupBy(lines, ({ account }) => accountKey(account)).values()].flatMap((of) => {
    const amount = of.reduce((sum, each) => sum + each.amount, 0n)
    return of[0] && amount !== 0n ? [{ account: of[0].account, amount }] : []
  })

/** The row that an entry is posted for. */
export interface Cause {
  /** Its table, in the singular. */
  kind:
    | 'session_payment'
    | 'suspense_payment'
    | 'payout'
    | 'refund'
    | 'top_up'
    | 'sweep'
    | 'intent'
    | 'intent_rent'
    | 'exchange'
    | 'stake'
    | 'stake_withdrawal'
    | 'adjustment'
    | 'chain_check'
    | 'verification'
  id: string
}

/** An entry without its postings. */
export interface EntryOf {
  kind: string
  businessId: string | null
  cause: Cause
  /** Which of the cause's entries: one more than the count that its row had when the entry was decided. */
  step: number
  /**
   * Takes from `available` what is there; the rest becomes `receivable`. Otherwise an entry that takes more
   * is refused.
   */
  mayOwe?: boolean
  /** The id of the entry that this one takes back. */
  reverses?: string
}

export interface Entry extends EntryOf {
  postings: readonly Posting[]
}
