import type { TokenMove } from '../../sending.ts'

/** Token accounts before and after a transaction, as `getTransaction` has them. */
export interface TokenBalances {
  preTokenBalances?: unknown
  postTokenBalances?: unknown
}

/**
 * By how much the tokens of each owner grew in a transaction. Null where a node does not name the owners, or
 * reports no balance at all: a transfer of tokens has some.
 */
export function tokenMovesOf({ preTokenBalances, postTokenBalances }: TokenBalances): TokenMove[] | null {
  const [before, after] = [readBalances(preTokenBalances), readBalances(postTokenBalances)]
  if (!before || !after || before.length + after.length === 0) return null
  const changes = [...after, ...before.map((each) => ({ ...each, amount: -each.amount }))]
  const byHolder = Map.groupBy(changes, ({ owner, mint }) => `${owner} ${mint}`)
  return [...byHolder.values()].flatMap((all) => {
    const amount = all.reduce((sum, each) => sum + each.amount, 0n)
    return all[0] && amount > 0n ? [{ contract: all[0].mint, to: all[0].owner, amount }] : []
  })
}

/** Places among the accounts of a transaction of an owner's token accounts for a mint. */
export function placesOf(list: unknown, mint: string, owner: unknown): number[] {
  const entries = Array.isArray(list)
    ? (list as ({ accountIndex?: unknown; mint?: unknown; owner?: unknown } | null)[])
    : []
  const own = entries.filter((each) => each?.mint === mint && each.owner === owner)
  return own.map((each) => each?.accountIndex).filter((place) => typeof place === 'number')
}

interface Balance {
  owner: string
  mint: string
  amount: bigint
}

function readBalances(list: unknown): Balance[] | null {
  if (!Array.isArray(list)) return null
  const read = list.map(readBalance)
  return read.every((each) => each !== null) ? read : null
}

function readBalance(
  entry: { owner?: unknown; mint?: unknown; uiTokenAmount?: { amount?: unknown } } | null,
): Balance | null {
  const [owner, mint, amount] = [entry?.owner, entry?.mint, entry?.uiTokenAmount?.amount]
  if (
    typeof owner !== 'string' ||
    typeof mint !== 'string' ||
    typeof amount !== 'string' ||
    !/^\d+$/.test(amount)
  )
    return null
  return { owner, mint, amount: BigInt(amount) }
}
