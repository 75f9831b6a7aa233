import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Address, Blockhash, EncodedAccount, Lamports, MaybeEncodedAccount } from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { type EpochStart, setTime } from './epochs.ts'
import type { ExecutedTransaction } from './transaction.ts'

/** An account before a change; null: it did not exist. */
export interface Change {
  address: Address
  before: EncodedAccount | null
}

/** A slot that has a block. */
export interface Block {
  slot: number
  parentSlot: number
  /** Counts blocks, not slots. Genesis is 0. */
  height: number
  blockhash: string
  previousBlockhash: string
  /** Unix seconds. */
  time: number
  transactions: ExecutedTransaction[]
  /** Undoes its effects, in order of execution; null when no longer kept. */
  changes: Change[] | null
}

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** The chain. The engine's state is that after the last transaction of the open slot. */
export interface Ledger {
  readonly svm: LiteSVM
  readonly genesisHash: string
  /** Blocks between the confirmed head and the final block. */
  readonly finalizedDepth: number
  /** By height, without gaps. */
  readonly blocks: Block[]
  readonly bySlot: Map<number, Block>
  /** Including the open slot. */
  readonly bySignature: Map<string, ExecutedTransaction>
  open: OpenSlot
  readonly epochs: EpochStart[]
  /** Incremented by each reorg, so that a block made again differs. */
  forks: number
}

export interface OpenSlot {
  slot: number
  time: number
  transactions: ExecutedTransaction[]
  changes: Change[]
}

/**
 * `lastValidBlockHeight` is this many blocks after the blockhash's own (Solana docs, Transaction confirmation
 * and expiration).
 */
export const maxProcessingAge = 150
/** Entries of the sysvar with recent slots (`MAX_ENTRIES` of slot hashes). */
const slotHashesKept = 512
/** Blocks that can be undone and whose state can be queried. */
export const undoDepth = 500

export const hash = (...parts: readonly (string | number)[]): string =>
  base58.encode(createHash('sha256').update(parts.join(' ')).digest())

export function newLedger(
  parts: Pick<Ledger, 'svm' | 'genesisHash' | 'finalizedDepth'>,
  time: number,
): Ledger {
  const genesis: Block = {
    slot: 0,
    parentSlot: 0,
    height: 0,
    blockhash: parts.genesisHash,
    previousBlockhash: hash('before genesis'),
    time,
    transactions: [],
    changes: [],
  }
  const ledger: Ledger = {
    ...parts,
    blocks: [genesis],
    bySlot: new Map([[0, genesis]]),
    bySignature: new Map(),
    epochs: [{ epoch: 0, slot: 0, time }],
    forks: 0,
    open: { slot: 1, time, transactions: [], changes: [] },
  }
  openSlot(ledger, 1, time)
  return ledger
}

export function headOf(ledger: Pick<Ledger, 'blocks'>): Block {
  const head = ledger.blocks.at(-1)
  if (!head) throw new Error('the ledger has no genesis block')
  return head
}

/** The last final block when `head` is the last confirmed one. */
export function rootUnder(ledger: Pick<Ledger, 'blocks' | 'finalizedDepth'>, head: Block): Block {
  return ledger.blocks[Math.max(0, head.height - ledger.finalizedDepth)] ?? head
}

/** Null if the account does not exist. */
export function accountOf({ svm }: Pick<Ledger, 'svm'>, address: Address): EncodedAccount | null {
  const account: MaybeEncodedAccount = svm.getAccount(address)
  return account.exists ? account : null
}

/** Opens `slot`, with its clock for programs. */
export function openSlot(ledger: Ledger, slot: number, time: number): void {
  const { svm } = ledger
  ledger.open = { slot, time, transactions: [], changes: [] }
  svm.expireBlockhash()
  setTime(ledger, slot, time)
  svm.setSlotHashes(
    ledger.blocks
      .slice(-slotHashesKept)
      .reverse()
      .map((block) => ({ slot: BigInt(block.slot), hash: block.blockhash as Blockhash })),
  )
}

/** Closes the open slot into a block and opens the next. A block is never older than its parent. */
export function closeSlot(ledger: Ledger, time: number): Block {
  const parent = headOf(ledger)
  const { slot, transactions, changes } = ledger.open
  const block: Block = {
    slot,
    parentSlot: parent.slot,
    height: parent.height + 1,
    blockhash: hash(
      ledger.genesisHash,
      parent.blockhash,
      slot,
      ledger.forks,
      ...transactions.map((each) => each.signature),
    ),
    previousBlockhash: parent.blockhash,
    time: Math.max(time, parent.time),
    transactions,
    changes,
  }
  ledger.blocks.push(block)
  ledger.bySlot.set(slot, block)
  const old = ledger.blocks[block.height - undoDepth]
  if (old) old.changes = null
  openSlot(ledger, slot + 1, block.time)
  return block
}

/** The next `slots` slots have no block; transactions of the open one stay pending. */
export function skipSlots(ledger: Ledger, slots: number): void {
  const { transactions, changes, slot, time } = ledger.open
  openSlot(ledger, slot + slots, time)
  Object.assign(ledger.open, { transactions, changes })
  for (const each of transactions) each.slot = ledger.open.slot
}

function undo({ svm }: Ledger, changes: readonly Change[]): void {
  for (const { address, before } of [...changes].reverse()) svm.setAccount(before ?? emptyAccount(address))
}

/** An account without lamports does not exist: writing this removes it. */
const emptyAccount = (address: Address): EncodedAccount => ({
  address,
  data: new Uint8Array(),
  executable: false,
  space: 0n,
  lamports: 0n as Lamports,
  programAddress: '11111111111111111111111111111111' as Address,
})

/**
 * Drops the last `depth` blocks, as on a fork that lost. Their slots stay empty as on the real chain, where a
 * slot is a time and the winning fork goes on in later slots. With `sameSlots` the next blocks take their
 * slots, as when a leader made two blocks for one slot.
 * @returns the undone transactions: of the blocks, and of the open slot
 */
export function dropBlocks(
  ledger: Ledger,
  depth: number,
  sameSlots: boolean,
): { dropped: ExecutedTransaction[]; open: ExecutedTransaction[] } {
  const dropping = ledger.blocks.slice(ledger.blocks.length - depth)
  if (depth > headOf(ledger).height || dropping.some((block) => block.changes === null))
    throw new Error('the state of that block is no longer kept')
  const { open } = ledger
  undo(ledger, open.changes)
  for (const block of [...dropping].reverse()) {
    undo(ledger, block.changes ?? [])
    ledger.bySlot.delete(block.slot)
    ledger.blocks.pop()
  }
  const dropped = dropping.flatMap((block) => block.transactions)
  for (const each of [...dropped, ...open.transactions]) ledger.bySignature.delete(each.signature)
  ledger.forks += 1
  openSlot(ledger, sameSlots ? (dropping[0]?.slot ?? open.slot) : open.slot, headOf(ledger).time)
  return { dropped, open: open.transactions }
}

/**
 * Accounts that changed after `block`, as they were then: for `accountsAt` and for simulations in the past.
 */
export function overlayOf(ledger: Ledger, block: Block): Map<Address, EncodedAccount | null> {
  const overlay = new Map<Address, EncodedAccount | null>()
  const later = [
    ledger.open.changes,
    ...ledger.blocks
      .slice(block.height + 1)
      .reverse()
      .map((each) => each.changes ?? []),
  ]
  for (const changes of later)
    for (const { address, before } of [...changes].reverse()) overlay.set(address, before)
  return overlay
}

/** Runs a function on the state after `block`, then restores the current state. */
export function withStateOf<T>(ledger: Ledger, block: Block, run: () => T): T {
  const overlay = overlayOf(ledger, block)
  const current = [...overlay.keys()].map((address) => accountOf(ledger, address) ?? emptyAccount(address))
  for (const [address, account] of overlay) ledger.svm.setAccount(account ?? emptyAccount(address))
  try {
    return run()
  } finally {
    for (const account of current) ledger.svm.setAccount(account)
  }
}

/**
 * A transaction with this blockhash is still accepted on top of the block at `height`. The node compares ages
 * and keeps one hash more than the 150 that may be older (Solana docs, Transaction confirmation and
 * expiration): the block after `lastValidBlockHeight` may still take it, but no client may rely on it.
 */
export const isRecent = (ledger: Pick<Ledger, 'blocks'>, blockhash: string, height: number): boolean =>
  ledger.blocks
    .slice(Math.max(0, height - maxProcessingAge), height + 1)
    .some((block) => block.blockhash === blockhash)
