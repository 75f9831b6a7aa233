import { parseDecimal, rescale } from '../money/amount.ts'

/** A collection whose settlement is searched for. */
export interface Unsettled {
  id: string
  token: string
  decimals: number
  createdAt: Date
  /** Null: it is not completed yet. */
  endedAt: Date | null
  /**
   * What the partner sends, as it wrote it; it may have more places than the token. Null: it has not named
   * it, and nothing is confirmed without it.
   */
  cryptoAmount: string | null
  /** As the partner names it. */
  partnerTxId: string | null
  /** The transfer that it has already. */
  transferId: string | null
  /** Of a wallet on stellar: a transfer with another memo, or without one, is other money. */
  memo: string | null
  /**
   * Collections of another business are settled to the same address: only what the partner has completed is
   * matched by amount and time.
   */
  isShared: boolean
}

/** A transfer to the wallet that settles no other collection. */
export interface Incoming {
  id: string
  txId: string
  /** Null: not a token that Cowry accepts. */
  token: string | null
  /** Base units. */
  amount: bigint
  blockTime: Date
  isConfirmed: boolean
  /** The memo that its recipient sees (`settlementMemo`); null: no memo, or not on stellar. */
  memo: string | null
  /** The partner names its transaction for a collection of another wallet. */
  isNamedElsewhere: boolean
}

export type SettlementProblem =
  | 'settlement_missing'
  | 'settlement_too_little'
  | 'settlement_other_token'
  | 'settlement_other_memo'
  | 'settlement_unknown_amount'

export type Settled =
  | { settlement: 'none'; transfer: null; problem: null }
  | { settlement: 'seen' | 'confirmed'; transfer: Incoming; problem: null }
  | { settlement: 'mismatch'; transfer: Incoming | null; problem: SettlementProblem }

/** Clocks of chains and partner differ from our clock. */
const skewMs = 10 * 60_000
/** From the partner's report that it is completed until its transfer must be seen. */
export const settlesWithinMs = 60 * 60_000

/**
 * Separates the transfers that settle collections from other payments to a wallet: by the transaction that
 * the partner names, and otherwise by amount and time. On stellar the memo must be that of the collection:
 * one account is shared by many owners. A transfer settles one collection; a collection keeps its transfer.
 * Of two with one amount, the one that was completed first gets the first.
 */
export function matchSettlements(
  collections: readonly Unsettled[],
  transfers: readonly Incoming[],
  now: Date,
): Map<string, Settled> {
  const settled = new Map<string, Settled>()
  const free = new Map(
    transfers
      .toSorted((a, b) => a.blockTime.getTime() - b.blockTime.getTime())
      .map((each) => [each.id, each]),
  )
  const take = (collection: Unsettled, transfer: Incoming | undefined): boolean => {
    if (!transfer) return false
    free.delete(transfer.id)
    settled.set(collection.id, {
      settlement: transfer.isConfirmed ? 'confirmed' : 'seen',
      transfer,
      problem: null,
    })
    return true
  }
  const left = (step: (collection: Unsettled) => Incoming | undefined, from: readonly Unsettled[]) =>
    from.filter((each) => !take(each, step(each)))
  let rest = left(({ transferId }) => (transferId === null ? undefined : free.get(transferId)), collections)
  const find = (fits: (transfer: Incoming) => boolean) => [...free.values()].find(fits)
  rest = left(
    (each) =>
      each.partnerTxId === null
        ? undefined
        : find((transfer) => transfer.txId === each.partnerTxId && isWhole(each, transfer)),
    rest,
  )
  // One whose amount is not known yet may be settled by the transaction that the partner names: no other
  // collection gets that by amount and time.
  const kept = new Set(
    rest.flatMap(({ cryptoAmount, partnerTxId }) => (cryptoAmount === null ? (partnerTxId ?? []) : [])),
  )
  const byAmount = rest.filter(({ isShared, endedAt }) => !isShared || endedAt !== null).toSorted(byEnd)
  const isOpen = ({ txId, isNamedElsewhere }: Incoming) => !kept.has(txId) && !isNamedElsewhere
  left(
    (each) => find((transfer) => isOpen(transfer) && isInTime(each, transfer) && isWhole(each, transfer)),
    byAmount,
  )
  rest = rest.filter(({ id }) => !settled.has(id))
  for (const each of rest) settled.set(each.id, unsettled(each, [...free.values()], isOpen, now))
  return settled
}

function unsettled(
  collection: Unsettled,
  free: readonly Incoming[],
  isOpen: (transfer: Incoming) => boolean,
  now: Date,
): Settled {
  const named = free.find(({ txId }) => txId === collection.partnerTxId)
  const isAmountMissing = collection.cryptoAmount === null && named !== undefined && isOwn(collection, named)
  // The transaction that the partner names is not this settlement.
  if (named && !isAmountMissing) return mismatch(collection, named)
  const isLate = collection.endedAt !== null && now.getTime() - collection.endedAt.getTime() > settlesWithinMs
  if (!isLate) return { settlement: 'none', transfer: null, problem: null }
  if (named) return { settlement: 'mismatch', transfer: named, problem: 'settlement_unknown_amount' }
  const inTime = free.filter((transfer) => isOpen(transfer) && isInTime(collection, transfer))
  const own = inTime.find((transfer) => isOwn(collection, transfer))
  // Several candidates: no match.
  if (own && collection.cryptoAmount === null)
    return { settlement: 'mismatch', transfer: null, problem: 'settlement_unknown_amount' }
  // Of the money of others on a shared account only the right amount is likely to be it.
  const other =
    own ?? inTime.find((transfer) => transfer.memo === collection.memo || isAmount(collection, transfer))
  return other
    ? mismatch(collection, other)
    : { settlement: 'mismatch', transfer: null, problem: 'settlement_missing' }
}

const mismatch = (collection: Unsettled, transfer: Incoming): Settled => ({
  settlement: 'mismatch',
  transfer,
  problem: problemOf(collection, transfer),
})

function problemOf({ token, memo }: Unsettled, transfer: Incoming): SettlementProblem {
  if (transfer.token !== token) return 'settlement_other_token'
  return transfer.memo === memo ? 'settlement_too_little' : 'settlement_other_memo'
}

/** The token and the memo are right. */
const isOwn = ({ token, memo }: Unsettled, transfer: Incoming): boolean =>
  transfer.token === token && transfer.memo === memo

/** The first that was completed first, those that are not at the end. */
function byEnd(a: Unsettled, b: Unsettled): number {
  const [one, other] = [
    a.endedAt?.getTime() ?? Number.MAX_SAFE_INTEGER,
    b.endedAt?.getTime() ?? Number.MAX_SAFE_INTEGER,
  ]
  return one - other || a.createdAt.getTime() - b.createdAt.getTime()
}

const isInTime = ({ createdAt, endedAt }: Unsettled, { blockTime }: Incoming): boolean =>
  blockTime.getTime() >= createdAt.getTime() - skewMs &&
  (endedAt === null || blockTime.getTime() <= endedAt.getTime() + 24 * settlesWithinMs)

/** Partners write amounts with more places than they send. */
const usualPlaces = 6

const isWhole = (collection: Unsettled, transfer: Incoming): boolean =>
  transfer.memo === collection.memo && isAmount(collection, transfer)

/** The stated amount in whole base units, cut or rounded up to the places of the token, or to six. */
function isAmount({ token, decimals, cryptoAmount }: Unsettled, transfer: Incoming): boolean {
  const stated = cryptoAmount === null ? null : parseDecimal(cryptoAmount)
  if (!stated || transfer.token !== token) return false
  return [decimals, Math.min(decimals, usualPlaces)].some((places) =>
    (['down', 'up'] as const).some(
      (how) => transfer.amount === rescale(stated, places, how) * 10n ** BigInt(decimals - places),
    ),
  )
}
