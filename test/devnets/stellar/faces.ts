import { randomBytes } from 'node:crypto'
import { xdr } from '@stellar/stellar-sdk'
import type { Chain, Place } from './chain.ts'
import type { Entry } from './entries.ts'
import { amountOff, envelopeOff, headerOff, withOldMeta, withoutClassicEvents } from './falseAnswers.ts'
import type { LedgerRecord, TransactionRecord } from './history.ts'

/** Ways a provider misbehaves. */
export interface Flags {
  lagBlocks?: number
  down?: boolean
  throttle?: number
  slowMs?: number
  /** RPC has no older ledgers. */
  pruneBelow?: number
  /** Horizon has no older ledgers: `history_elder_ledger`. */
  horizonPruneBelow?: number
  noEvents?: boolean
  metaV3?: boolean
  omit?: string[]
  amountOff?: string
  envelopeOff?: string
  badPrevious?: number
  wrongNetwork?: boolean
  noMeta?: boolean
  /** Refuses transactions. */
  tryAgainLater?: boolean
  /** Answers PENDING and drops the transaction. */
  swallow?: boolean
}

/** One provider's view of the chain, for both APIs. */
export interface View {
  flags: Flags
  chain: Chain
  passphrase: string
  latest(): LedgerRecord
  /** RPC's oldest ledger. */
  oldest(): LedgerRecord
  ledger(sequence: number): LedgerRecord | undefined
  /** From a sequence up to the head. */
  from(sequence: number): LedgerRecord[]
  find(hash: string): Place | undefined
  entry(key: string): Entry | undefined
  entries(): Entry[]
}

export function viewOf(chain: Chain, flags: Flags): View {
  const seen = new WeakMap<LedgerRecord, LedgerRecord>()
  const shown = (ledger: LedgerRecord): LedgerRecord => {
    const known = seen.get(ledger) ?? distort(ledger, flags)
    seen.set(ledger, known)
    return known
  }
  const head = () => Math.max(1, chain.latest().sequence - (flags.lagBlocks ?? 0))
  const at = (sequence: number) => {
    const ledger = sequence >= 1 && sequence <= head() ? chain.ledger(sequence) : undefined
    return ledger && shown(ledger)
  }
  const shownAt = (sequence: number) => at(sequence) ?? shown(chain.latest())
  return {
    flags,
    chain,
    passphrase: flags.wrongNetwork ? 'Some Other Network ; November 2026' : chain.network.passphrase,
    latest: () => shownAt(head()),
    oldest: () => shownAt(Math.min(Math.max(1, flags.pruneBelow ?? 1), head())),
    ledger: at,
    from: (sequence) => chain.ledgers.slice(Math.max(0, sequence - 1), head()).map(shown),
    find(hash) {
      const place = chain.find(hash)
      const ledger = place && at(place.ledger.sequence)
      const index = ledger?.transactions.findIndex((each) => each.hash === place?.record.hash) ?? -1
      const record = ledger?.transactions[index]
      return ledger && record && { ledger, index, record }
    },
    entry: (key) => before(chain, head()).get(key, chain.book.entries.get(key)),
    entries() {
      const { changed, get } = before(chain, head())
      return [...new Set([...chain.book.entries.keys(), ...changed])].flatMap(
        (key) => get(key, chain.book.entries.get(key)) ?? [],
      )
    },
  }
}

/** The state at an older ledger, reconstructed from later changes. */
function before(chain: Chain, head: number) {
  const old = new Map<string, Entry | null>()
  for (const { changes } of chain.ledgers.slice(head).toReversed())
    for (const [key, was] of changes) old.set(key, was)
  return {
    changed: [...old.keys()],
    get: (key: string, today: Entry | undefined): Entry | undefined =>
      old.has(key) ? (old.get(key) ?? undefined) : today,
  }
}

/** A ledger as a false face serves it. Honest faces get the original. */
function distort(ledger: LedgerRecord, flags: Flags): LedgerRecord {
  const transactions = ledger.transactions
    .filter(({ hash }) => !flags.omit?.includes(hash))
    .map((record) => distortTransaction(record, flags))
  const unchanged =
    transactions.every((each, i) => each === ledger.transactions[i]) &&
    transactions.length === ledger.transactions.length
  const honest = unchanged ? ledger : { ...ledger, transactions }
  return flags.badPrevious === ledger.sequence ? headerOff(honest, randomBytes(32)) : honest
}

function distortTransaction(record: TransactionRecord, flags: Flags): TransactionRecord {
  const concerns = (hash: string | undefined) =>
    hash !== undefined && (record.hash === hash || record.innerHash === hash)
  let distorted = record
  if (concerns(flags.amountOff)) distorted = { ...distorted, meta: amountOff(distorted.meta) }
  if (concerns(flags.envelopeOff)) distorted = { ...distorted, envelope: envelopeOff(distorted.envelope) }
  if (flags.noEvents) distorted = { ...distorted, meta: withoutClassicEvents(distorted) }
  if (flags.metaV3) distorted = { ...distorted, meta: withOldMeta(distorted) }
  return distorted
}

/** A transaction's metadata, in the provider's version. */
export const metaOf = ({ meta }: TransactionRecord): xdr.TransactionMeta =>
  xdr.TransactionMeta.fromXdr(meta, 'base64')
