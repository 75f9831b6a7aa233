import { randomBytes } from 'node:crypto'
import { Keypair, type xdr } from '@stellar/stellar-sdk'
import { closeLedger, genesisHeader, totalCoins } from './closeLedger.ts'
import type { Network } from './context.ts'
import { type Parsed, parseEnvelope } from './envelope.ts'
import { headerHash, type LedgerRecord, type TransactionRecord } from './history.ts'
import { type Journal, openJournal } from './journal.ts'
import { type Book, openBook } from './state.ts'
import { judge, type Moment, minimumFee, resultOfVerdict } from './validity.ts'
import { sha256 } from './values.ts'

/** What a core answers to a transaction: stellar-core's `tx` command, which both APIs pass on. */
export type Submission =
  | { status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER'; hash: string }
  | { status: 'ERROR'; hash: string; result: xdr.TransactionResult }

/** Where a transaction stands. */
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
  /** By its hash, or by the inner one of a fee bump. */
  find(hash: string): Place | undefined
  /** @throws when it is no envelope */
  submit(envelope: string): Submission
  /** @param time unix seconds; never before the previous ledger's */
  close(time?: number): LedgerRecord
  /** @returns the hashes of the transactions that are gone */
  reorg(depth: number, keep: boolean): string[]
  onClose(listener: (ledger: LedgerRecord) => void): () => void
}

/** Ledgers that a transaction which was thrown out of the queue is not taken again for: stellar-core, TransactionQueue. */
const banLedgers = 10

/** A fee bump must pay ten times what it replaces in the queue: stellar-core, TransactionQueue, FEE_MULTIPLIER. */
const feeMultiplier = 10n

interface Running extends Chain {
  ledgers: LedgerRecord[]
  journal: Journal
  pending: Parsed[]
  /** Hash → first ledger it may come back in. */
  banned: Map<string, number>
  places: Map<string, Place>
  listeners: Set<(ledger: LedgerRecord) => void>
  validator: Keypair
  salt: string
}

/** @param file where the chain is kept; null: nowhere */
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

/** When a transaction that comes now would be applied: not before the last ledger, nor before now. */
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
  // One transaction of a source at a time: only a fee bump of the same one may take its place (stellar-core, TransactionQueue).
  const rival = chain.pending.find(({ source }) => source === parsed.source)
  if (rival && (!parsed.bump || rival.transaction.seqNum !== parsed.transaction.seqNum)) return { status: 'TRY_AGAIN_LATER', hash }
  const others = chain.pending.filter((each) => each !== rival)
  const owed = others.filter(({ feeSource }) => feeSource === parsed.feeSource).reduce((sum, { feeBid }) => sum + feeBid, 0n)
  if (rival && parsed.feeBid * rival.feeUnits < feeMultiplier * rival.feeBid * parsed.feeUnits) {
    const min = (feeMultiplier * rival.feeBid * parsed.feeUnits) / rival.feeUnits
    return { status: 'ERROR', hash, result: resultOfVerdict(parsed, { code: 'txInsufficientFee', inner: false }, min) }
  }
  const verdict = judge(parsed, chain.book, nextMoment(chain), owed)
  if (verdict) return { status: 'ERROR', hash, result: resultOfVerdict(parsed, verdict, minimumFee(parsed)) }
  chain.pending = [...others, parsed]
  return { status: 'PENDING', hash }
}

function close(chain: Running, time = now()): LedgerRecord {
  const { network, book, validator, salt, pending, banned } = chain
  const previous = chain.latest()
  const sequence = previous.sequence + 1
  // The network never closes two ledgers in one second; one that is told to be quicker shows the same second twice.
  const closeTime = Math.max(previous.closeTime, time)
  const moment: Moment = { ledger: sequence, earliest: closeTime, latest: closeTime, applying: false }
  const good = pending.filter((parsed) => judge(parsed, book, moment) === null)
  for (const parsed of pending) if (!good.includes(parsed)) banned.set(parsed.hash, sequence + banLedgers)
  chain.pending = []
  const ledger = closeLedger({ network, book, validator, previous, closeTime, salt }, good)
  chain.journal.append(ledger)
  add(chain, ledger)
  for (const listener of chain.listeners) listener(ledger)
  return ledger
}

/** What the real network never does. State is as before the ledgers that go; what comes in their place has other ids. */
function reorg(chain: Running, depth: number, keep: boolean): string[] {
  const gone = chain.ledgers.splice(Math.max(1, chain.ledgers.length - depth))
  for (const ledger of gone.toReversed()) {
    for (const [key, before] of ledger.changes) {
      if (before) chain.book.entries.set(key, before)
      else chain.book.entries.delete(key)
    }
  }
  const records = gone.flatMap(({ transactions }) => transactions)
  for (const { hash, innerHash } of records) {
    chain.places.delete(hash)
    if (innerHash) chain.places.delete(innerHash)
  }
  chain.salt = randomBytes(8).toString('hex')
  chain.journal.dropAbove(chain.latest().sequence)
  if (keep) chain.pending.push(...records.map(({ envelope }) => parseEnvelope(envelope, chain.network)))
  return records.map(({ hash }) => hash)
}
