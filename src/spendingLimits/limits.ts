import type { Memo } from '../chains/chain.ts'
import type { SentMemoType } from '../chains/readMemo.ts'
import { parseUnits } from '../money/amount.ts'

export type TokenName = 'native' | 'usdc' | 'usdt'

/** Whole units of one token on one chain, as decimal strings; null: not limited. */
export interface AmountLimit {
  chain: string
  token: TokenName
  perTransfer: string | null
  /** Within any 24 hours. */
  perDay: string | null
  /** A larger transfer needs a second owner's approval. */
  approvalAbove: string | null
}

export interface Destination {
  chain: string
  /** In normal form. */
  address: string
  /** The recipient at a shared address; omitted: any memo, or no memo. */
  memo?: string
  memoType?: SentMemoType
}

/** Limits of a key or a wallet. A list allows only its entries; null: no limit. */
export interface SendLimits {
  amounts: AmountLimit[] | null
  destinations: Destination[] | null
}

export const unlimited: SendLimits = { amounts: null, destinations: null }

/** A requested transfer, refund or payout. */
export interface Wanted {
  chain: string
  token: TokenName
  decimals: number
  /** Base units. */
  amount: bigint
  /** Null: it goes to no address that is named here. A list of destinations refuses it. */
  to: string | null
  /** The chain of `to`, if it is another one. */
  toChain?: string
  memo: Memo | null
}

/** The exceeded limit, and the field of the request. */
export interface Exceeded {
  field: 'amount' | 'token' | 'toAddress' | 'memo'
  limit: 'perTransfer' | 'perDay' | 'tokens' | 'destinations'
}

/** The limit for a token; `not listed` where the list does not name it. */
export function amountLimitOf(
  { amounts }: SendLimits,
  { chain, token }: Pick<Wanted, 'chain' | 'token'>,
): AmountLimit | 'not listed' | null {
  return amounts === null
    ? null
    : (amounts.find((each) => each.chain === chain && each.token === token) ?? 'not listed')
}

/**
 * The first limit that a transfer exceeds; null where it fits.
 * @param sent base units of the same token that count for the same 24 hours
 */
export function exceeded(limits: SendLimits, wanted: Wanted, sent: bigint): Exceeded | null {
  const { destinations } = limits
  if (destinations !== null) {
    const there = destinations.filter(
      (each) => each.chain === (wanted.toChain ?? wanted.chain) && each.address === wanted.to,
    )
    if (there.length === 0) return { field: 'toAddress', limit: 'destinations' }
    if (!there.some((each) => hasMemo(each, wanted.memo))) return { field: 'memo', limit: 'destinations' }
  }
  const limit = amountLimitOf(limits, wanted)
  if (limit === null) return null
  if (limit === 'not listed') return { field: 'token', limit: 'tokens' }
  if (isMore(wanted.amount, limit.perTransfer, wanted)) return { field: 'amount', limit: 'perTransfer' }
  if (isMore(sent + wanted.amount, limit.perDay, wanted)) return { field: 'amount', limit: 'perDay' }
  return null
}

const hasMemo = (of: Destination, memo: Memo | null): boolean =>
  of.memo === undefined || (memo?.value === of.memo && memo.type === of.memoType)

/**
 * True when a second owner must approve a transfer.
 * @param alone base units of the same token that were sent within 24 hours without an approval: many small
 * ones do not pass under the amount
 */
export function needsApproval(limits: SendLimits, wanted: Wanted, alone = 0n): boolean {
  const limit = amountLimitOf(limits, wanted)
  return (
    limit !== null && limit !== 'not listed' && isMore(alone + wanted.amount, limit.approvalAbove, wanted)
  )
}

/**
 * True when the new limits allow something to be sent, or sent without an approval, that the old ones did
 * not.
 */
export function loosens(before: SendLimits, after: SendLimits): boolean {
  return (
    loosensAmounts(before.amounts, after.amounts) ||
    loosensDestinations(before.destinations, after.destinations)
  )
}

function loosensAmounts(before: AmountLimit[] | null, after: AmountLimit[] | null): boolean {
  if (before === null) return false
  if (after === null) return true
  return after.some((each) => {
    const had = before.find(({ chain, token }) => chain === each.chain && token === each.token)
    return (
      !had ||
      (['perTransfer', 'perDay', 'approvalAbove'] as const).some((field) => isHigher(each[field], had[field]))
    )
  })
}

function loosensDestinations(before: Destination[] | null, after: Destination[] | null): boolean {
  if (before === null) return false
  return (
    after === null ||
    after.some(
      (each) =>
        !before.some(
          (had) => had.chain === each.chain && had.address === each.address && keepsMemo(had, each),
        ),
    )
  )
}

const keepsMemo = (before: Destination, after: Destination): boolean =>
  before.memo === undefined || (before.memo === after.memo && before.memoType === after.memoType)

/** More decimals than any token has: limits are compared independently of the token's decimals. */
const maxDecimals = 60

function isHigher(after: string | null, before: string | null): boolean {
  if (before === null) return false
  const [was, is] = [parseUnits(before, maxDecimals), after === null ? null : parseUnits(after, maxDecimals)]
  return was === null || is === null || is > was
}

function isMore(amount: bigint, limit: string | null, { decimals }: Pick<Wanted, 'decimals'>): boolean {
  if (limit === null) return false
  const max = parseUnits(limit, decimals)
  // An unreadable limit blocks every transfer: the token's decimals have changed since it was set.
  return max === null || amount > max
}
