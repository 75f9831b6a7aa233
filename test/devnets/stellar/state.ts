import { xdr } from '@stellar/stellar-sdk'
import {
  type AccountEntry,
  type Entry,
  entryKey,
  keyOf,
  ledgerEntryOf,
  ledgerKeyOf,
  type Offer,
  type TrustLine,
} from './entries.ts'
import type { AssetName } from './values.ts'

/** Readable state. Entries are immutable: a change replaces the entry. */
export interface State {
  get(key: string): Entry | undefined
  offers(selling: AssetName, buying: AssetName): Offer[]
}

/** Uncommitted changes on top of a state. Readers of the frame see its writes at once. */
export interface Frame extends State {
  ledger: number
  put(entry: Entry): void
  remove(key: string): void
  /** In the order of the first write; null: removed. */
  writes(): ReadonlyMap<string, Entry | null>
}

/** The committed state: a map of all entries. */
export interface Book extends State {
  entries: Map<string, Entry>
}

export function openBook(): Book {
  const entries = new Map<string, Entry>()
  return {
    entries,
    get: (key) => entries.get(key),
    offers: (selling, buying) => [...entries.values()].filter((entry) => isOffer(entry, selling, buying)),
  }
}

const isOffer = (entry: Entry | null, selling: AssetName, buying: AssetName): entry is Offer =>
  entry?.kind === 'offer' && entry.selling === selling && entry.buying === buying

/** @param ledger sequence stored in each written entry */
export function openFrame(parent: State, ledger: number): Frame {
  const written = new Map<string, Entry | null>()
  return {
    ledger,
    get: (key) => (written.has(key) ? (written.get(key) ?? undefined) : parent.get(key)),
    offers: (selling, buying) => [
      ...parent.offers(selling, buying).filter((offer) => !written.has(keyOf(offer))),
      ...[...written.values()].filter((entry) => isOffer(entry, selling, buying)),
    ],
    put: (entry) => void written.set(keyOf(entry), { ...entry, modified: ledger }),
    remove: (key) => void written.set(key, null),
    writes: () => written,
  }
}

/** Applies a frame's changes to the frame below. */
export function commit(frame: Frame, into: Frame): void {
  for (const [key, entry] of frame.writes()) {
    if (entry) into.put(entry)
    else into.remove(key)
  }
}

/** A frame's changes as in metadata: the state before (unless new), then the result. */
export function changesOf(frame: Frame, before: State): xdr.LedgerEntryChange[] {
  return [...frame.writes()].flatMap(([key, after]): xdr.LedgerEntryChange[] => {
    const old = before.get(key)
    if (!old && !after) return []
    if (!old && after) return [xdr.LedgerEntryChange.ledgerEntryCreated(ledgerEntryOf(after))]
    if (!old) return []
    const state = xdr.LedgerEntryChange.ledgerEntryState(ledgerEntryOf(old))
    return after
      ? [state, xdr.LedgerEntryChange.ledgerEntryUpdated(ledgerEntryOf(after))]
      : [state, xdr.LedgerEntryChange.ledgerEntryRemoved(ledgerKeyOf(old))]
  })
}

export function accountIn(state: State, id: string): AccountEntry | undefined {
  const entry = state.get(entryKey.account(id))
  return entry?.kind === 'account' ? entry : undefined
}

export function lineIn(state: State, account: string, asset: AssetName): TrustLine | undefined {
  const entry = state.get(entryKey.trustline(account, asset))
  return entry?.kind === 'trustline' ? entry : undefined
}
