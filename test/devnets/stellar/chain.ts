import { randomBytes } from 'node:crypto'
import { Keypair, type xdr } from '@stellar/stellar-sdk'
import { closeLedger, genesisHeader, totalCoins } from './closeLedger.ts'
import type { Network } from './context.ts'
import { type Parsed, parseEnvelope } from './envelope.ts'
import { headerHash, type LedgerRecord, type TransactionRecord } from './history.ts'
import { type Journal, openJournal } from './journal.ts'
import { type Book, openBook } from './state.ts'
import { type Moment, minimumFee, resultOfVerdict, validate } from './validity.ts'
import { sha256 } from './values.ts'

/** A core's answer to a submitted transaction (stellar-core's `tx` command), which both APIs pass on. */
export type Submission =
  | { status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER'; hash: string }
  | { status: 'ERROR'; hash: string; result: xdr.TransactionResult }

/** A transaction's position in the chain. */
export interface Place {
  ledger: LedgerRecord
  /** From 0. */
  index: number
  record: TransactionRecord
}

export interface Chain {
  network: Network
  book: Book
  ledgers: readonly LedgerRecord[]
  latest(): LedgerRecord
  ledger(sequence: number): LedgerRecord | undefined
  /** By its hash, or by a fee bump's inner hash. */
  find(hash: string): Place | undefined
  /** @throws if it is not an envelope */
  submit(envelope: string): Submission
  /** @param time unix seconds; never before the previous ledger's */
  close(time?: number): LedgerRecord
  /** @returns the hashes of the dropped transactions */
  reorg(depth: number, keep: boolean): string[]
  onClose(listener: (ledger: LedgerRecord) => void): () => void
}

/** Ledgers for which a transaction that the queue evicted is refused: stellar-core, TransactionQueue. */
const banLedgers = 10

/**
 * A fee bump must pay ten times the fee of the queued transaction: stellar-core, TransactionQueue,
 * FEE_MULTIPLIER.
 */
const feeMultiplier = 10n

interface Running extends Chain {
  ledgers: LedgerRecord[]
  journal: Journal
  pending: Parsed[]
  /** Hash → the first ledger that accepts it again. */
  banned: Map<string, number>
  places: Map<string, Place>
  listeners: Set<(ledger: LedgerRecord) => void>
  validator: Keypair
  salt: string
}

/** @param file keeps the chain; null: in memory only */
export function openChain(passphrase: string, file: string | null): Chain {
  const network = { passphrase, id: sha256(Buffer.from(passphrase)) }
  const journal = openJournal(file)
  const chain: Running = {
    network,
    journal,
    book: openBook(),
    ledgers: [],
    pending: [],
    banned: new Map(),
    places: new Map(),
    listeners: new Set(),
    validator: Keypair.fromRawEd25519Seed(sha256(Buffer.from(`validator of ${passphrase}`))),
    salt: '',
    latest: () => lastOf(chain.ledgers),
    ledger: (sequence) => chain.ledgers[sequence - 1],
    find: (hash) => chain.places.get(hash),
    submit: (envelope) => submit(chain, envelope),
    close: (time) => close(chain, time),
    reorg: (depth, keep) => reorg(chain, depth, keep),
    onClose(listener) {
      chain.listeners.add(listener)
      return () => void chain.listeners.delete(listener)
    },
  }
  const kept = journal.ledgers
  for (const ledger of kept) add(chain, ledger)
  if (kept.length === 0) genesis(chain)
  return chain
}

function lastOf(ledgers: readonly LedgerRecord[]): LedgerRecord {
  const last = ledgers.at(-1)
  if (!last) throw new Error('the chain has no ledger')
  return last
}

const now = () => Math.floor(Date.now() / 1000)

/** The first ledger: all lumens belong to the account whose seed is the network's id. */
function genesis(chain: Running): void {
  const time = now()
  const header = genesisHeader(time)
  const root = Keypair.master(chain.network.passphrase).publicKey()
  const account = {
    kind: 'account',
    id: root,
    balance: totalCoins,
    sequence: 0n,
    subEntries: 0,
    flags: 0,
    homeDomain: '',
    thresholds: [1, 0, 0, 0],
    signers: [],
    buying: 0n,
    selling: 0n,
    sponsored: 0,
    sponsoring: 0,
    sequenceSet: null,
    modified: 1,
    sponsor: null,
  } as const
  const ledger: LedgerRecord = {
    sequence: 1,
    hash: headerHash(header),
    closeTime: time,
    header: header.toXdr('base64'),
    transactions: [],
    changes: [[`account/${root}`, null, account]],
  }
  chain.journal.append(ledger)
  add(chain, ledger)
}

function add(chain: Running, ledger: LedgerRecord): void {
  chain.ledgers.push(ledger)
  for (const [key, , after] of ledger.changes) {
    if (after) chain.book.entries.set(key, after)
    else chain.book.entries.delete(key)
  }
  for (const [index, record] of ledger.transactions.entries()) {
    const place = { ledger, index, record }
    chain.places.set(record.hash, place)
    if (record.innerHash) chain.places.set(record.innerHash, place)
  }
}

/**
 * The earliest time at which a new transaction would be applied: not before the last ledger, nor before now.
 */
const nextMoment = (chain: Running): Moment => ({
  ledger: chain.latest().sequence + 1,
  earliest: Math.max(chain.latest().closeTime, now()),
  latest: Math.max(chain.latest().closeTime, now()),
  applying: false,
})

function submit(chain: Running, envelope: string): Submission {
  const parsed = parseEnvelope(envelope, chain.network)
  const { hash } = parsed
  if (chain.pending.some((each) => each.hash === hash)) return { status: 'DUPLICATE', hash }
  if ((chain.banned.get(hash) ?? 0) > chain.latest().sequence) return { status: 'TRY_AGAIN_LATER', hash }
  // One transaction per source at a time: only a fee bump of it may replace it (stellar-core,
  // TransactionQueue).
  const queued = chain.pending.find(({ source }) => source === parsed.source)
  if (queued && (!parsed.bump || queued.transaction.seqNum !== parsed.transaction.seqNum))
    return { status: 'TRY_AGAIN_LATER', hash }
  const others = chain.pending.filter((each) => each !== queued)
  const owed = others
    .filter(({ feeSource }) => feeSource === parsed.feeSource)
    .reduce((sum, { feeBid }) => sum + feeBid, 0n)
  if (queued && parsed.feeBid * queued.feeUnits < feeMultiplier * queued.feeBid * parsed.feeUnits) {
    const min = (feeMultiplier * queued.feeBid * parsed.feeUnits) / queued.feeUnits
    return {
      status: 'ERROR',
      hash,
      result: resultOfVerdict(parsed, { code: 'txInsufficientFee', inner: false }, min),
    }
  }
  const verdict = validate(parsed, chain.book, nextMoment(chain), owed)
  if (verdict) return { status: 'ERROR', hash, result: resultOfVerdict(parsed, verdict, minimumFee(parsed)) }
  chain.pending = [...others, parsed]
  return { status: 'PENDING', hash }
}

function close(chain: Running, time = now()): LedgerRecord {
  const { network, book, validator, salt, pending, banned } = chain
  const previous = chain.latest()
  const sequence = previous.sequence + 1
  // The network closes at most one ledger a second; a faster devnet repeats the second.
  const closeTime = Math.max(previous.closeTime, time)
  const moment: Moment = { ledger: sequence, earliest: closeTime, latest: closeTime, applying: false }
  const good = pending.filter((parsed) => validate(parsed, book, moment) === null)
  for (const parsed of pending) if (!good.includes(parsed)) banned.set(parsed.hash, sequence + banLedgers)
  chain.pending = []
  const ledger = closeLedger({ network, book, validator, previous, closeTime, salt }, good)
  chain.journal.append(ledger)
  add(chain, ledger)
  for (const listener of chain.listeners) listener(ledger)
  return ledger
}

/** Never happens on the real network. Undoes the last ledgers; those that replace them have other hashes. */
function reorg(chain: Running, depth: number, keep: boolean): string[] {
  const dropped = chain.ledgers.splice(Math.max(1, chain.ledgers.length - depth))
  for (const ledger of dropped.toReversed()) {
    for (const [key, before] of ledger.changes) {
      if (before) chain.book.entries.set(key, before)
      else chain.book.entries.delete(key)
    }
  }
  const records = dropped.flatMap(({ transactions }) => transactions)
  for (const { hash, innerHash } of records) {
    chain.places.delete(hash)
    if (innerHash) chain.places.delete(innerHash)
  }
  chain.salt = randomBytes(8).toString('hex')
  chain.journal.dropAbove(chain.latest().sequence)
  if (keep) chain.pending.push(...records.map(({ envelope }) => parseEnvelope(envelope, chain.network)))
  return records.map(({ hash }) => hash)
}
