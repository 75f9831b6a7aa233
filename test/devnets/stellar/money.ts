import type { OperationContext } from './context.ts'
import { type AccountEntry, flags, type TrustLine } from './entries.ts'
import { accountIn, type Frame, lineIn } from './state.ts'
import { type AssetName, issuerOf, maxAmount, nativeAsset } from './values.ts'

/** Half a lumen: Stellar docs, Lumens, "Base reserves". */
export const baseReserve = 5_000_000n

/** An account needs two base reserves to exist: Stellar docs, Lumens, "Minimum balance". */
const reservesOfAccount = 2

/** Stellar docs, Lumens, "Minimum balance"; CAP-33 for the sponsored part. */
const minimumBalance = (account: AccountEntry): bigint =>
  BigInt(reservesOfAccount + account.subEntries + account.sponsoring - account.sponsored) * baseReserve

/**
 * The spendable native balance: without the reserve and without liabilities of offers (CAP-3). May be
 * negative.
 */
export const availableBalance = (account: AccountEntry): bigint =>
  account.balance - minimumBalance(account) - account.selling

export type Refusal = 'underfunded' | 'noTrust' | 'notAuthorized' | 'full'

const isAuthorized = (line: TrustLine) => (line.flags & flags.line.authorized) !== 0

/** Debits an existing account. An issuer creates its own asset. */
export function debit(frame: Frame, account: string, asset: AssetName, amount: bigint): Refusal | null {
  if (asset === nativeAsset) {
    const entry = accountIn(frame, account)
    if (!entry || availableBalance(entry) < amount) return 'underfunded'
    frame.put({ ...entry, balance: entry.balance - amount })
    return null
  }
  if (issuerOf(asset) === account) return null
  const line = lineIn(frame, account, asset)
  if (!line) return 'noTrust'
  if (!isAuthorized(line)) return 'notAuthorized'
  if (line.balance - line.selling < amount) return 'underfunded'
  frame.put({ ...line, balance: line.balance - amount })
  return null
}

/** Credits an existing account. An issuer's own asset is destroyed when returned. */
export function credit(frame: Frame, account: string, asset: AssetName, amount: bigint): Refusal | null {
  if (asset === nativeAsset) {
    const entry = accountIn(frame, account)
    if (!entry || entry.balance + entry.buying + amount > maxAmount) return 'full'
    frame.put({ ...entry, balance: entry.balance + amount })
    return null
  }
  if (issuerOf(asset) === account) return null
  const line = lineIn(frame, account, asset)
  if (!line) return 'noTrust'
  if (!isAuthorized(line)) return 'notAuthorized'
  if (line.balance + line.buying + amount > line.limit) return 'full'
  frame.put({ ...line, balance: line.balance + amount })
  return null
}

/** The maximum that an account can still receive of an asset: for offers. */
export function roomFor(frame: Frame, account: string, asset: AssetName): bigint {
  if (asset === nativeAsset) {
    const entry = accountIn(frame, account)
    return entry ? maxAmount - entry.balance - entry.buying : 0n
  }
  if (issuerOf(asset) === account) return maxAmount
  const line = lineIn(frame, account, asset)
  return line ? line.limit - line.balance - line.buying : 0n
}

/** The maximum that an account can still give of an asset: for offers. */
export function spendable(frame: Frame, account: string, asset: AssetName): bigint {
  if (asset === nativeAsset) {
    const entry = accountIn(frame, account)
    return entry ? availableBalance(entry) : 0n
  }
  if (issuerOf(asset) === account) return maxAmount
  const line = lineIn(frame, account, asset)
  return line ? line.balance - line.selling : 0n
}

/** Adds liabilities of offers (CAP-3). `sign` -1 removes them. */
export function addLiabilities(
  frame: Frame,
  account: string,
  {
    selling,
    buying,
  }: { selling: { asset: AssetName; amount: bigint }; buying: { asset: AssetName; amount: bigint } },
  sign: 1n | -1n,
): void {
  const add = (asset: AssetName, side: 'selling' | 'buying', amount: bigint) => {
    if (issuerOf(asset) === account) return
    const entry = asset === nativeAsset ? accountIn(frame, account) : lineIn(frame, account, asset)
    if (entry) frame.put({ ...entry, [side]: entry[side] + sign * amount })
  }
  add(selling.asset, 'selling', selling.amount)
  add(buying.asset, 'buying', buying.amount)
}

/**
 * Takes a reserve for a new entry: from the sponsor if there is one, otherwise from the owner (CAP-33).
 * @param units number of base reserves
 * @returns the sponsor or null; `lowReserve` if the payer lacks the balance
 */
export function takeReserve(
  context: OperationContext,
  owner: string,
  units: number,
): { sponsor: string | null } | 'lowReserve' {
  const { frame, tx } = context
  const sponsor = tx.sponsors.get(owner) ?? null
  const entry = accountIn(frame, owner)
  if (!entry) return 'lowReserve'
  if (!sponsor) {
    const grown = { ...entry, subEntries: entry.subEntries + units }
    if (availableBalance(grown) < 0n) return 'lowReserve'
    frame.put(grown)
    return { sponsor }
  }
  if (!takeSponsorship(frame, sponsor, units)) return 'lowReserve'
  const owned = accountIn(frame, owner) ?? entry
  frame.put({ ...owned, subEntries: owned.subEntries + units, sponsored: owned.sponsored + units })
  return { sponsor }
}

/** @returns false if the sponsor lacks the balance */
export function takeSponsorship(frame: Frame, sponsor: string, units: number): boolean {
  const entry = accountIn(frame, sponsor)
  if (!entry) return false
  const grown = { ...entry, sponsoring: entry.sponsoring + units }
  if (availableBalance(grown) < 0n) return false
  frame.put(grown)
  return true
}

/** Releases the reserve of a removed entry. */
export function giveReserve(frame: Frame, owner: string, units: number, sponsor: string | null): void {
  const entry = accountIn(frame, owner)
  if (entry) {
    frame.put({
      ...entry,
      subEntries: entry.subEntries - units,
      sponsored: entry.sponsored - (sponsor ? units : 0),
    })
  }
  if (sponsor) giveSponsorship(frame, sponsor, units)
}

export function giveSponsorship(frame: Frame, sponsor: string, units: number): void {
  const entry = accountIn(frame, sponsor)
  if (entry) frame.put({ ...entry, sponsoring: entry.sponsoring - units })
}
