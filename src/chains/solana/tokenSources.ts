/** A token account of an owner. */
export interface HeldAccount {
  address: string
  amount: bigint
  isFrozen: boolean
  /** The delegate may move its tokens at any time. */
  hasDelegate: boolean
  isAssociated: boolean
}

/** An account that a transfer draws on, and the amount. */
export interface Source {
  address: string
  amount: bigint
}

/**
 * Accounts that fit into one transaction that also opens the recipient's account: 1,232 bytes, of which each
 * account takes 49.
 */
export const maxSources = 17

/**
 * Accounts that one transfer can draw on: the associated one, then the largest. Leaves out frozen ones, and
 * others that have a delegate.
 */
export const drawable = (accounts: readonly HeldAccount[]): HeldAccount[] =>
  accounts
    .filter(
      ({ amount, isFrozen, isAssociated, hasDelegate }) =>
        amount > 0n && !isFrozen && (isAssociated || !hasDelegate),
    )
    .sort(bySize)
    .slice(0, maxSources)

function bySize(a: HeldAccount, b: HeldAccount): number {
  if (a.isAssociated !== b.isAssociated) return a.isAssociated ? -1 : 1
  if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1
  return a.address < b.address ? -1 : 1
}

/** As few drawable accounts as hold the amount; all of them where they hold less. */
export function sourcesFor(accounts: readonly HeldAccount[], amount: bigint): Source[] {
  const sources: Source[] = []
  let missing = amount
  for (const { address, amount: held } of drawable(accounts)) {
    if (missing === 0n) break
    const drawn = held < missing ? held : missing
    sources.push({ address, amount: drawn })
    missing -= drawn
  }
  return sources
}
