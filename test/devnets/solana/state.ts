import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Address, EncodedAccount, Lamports } from '@solana/kit'
import { LiteSVM } from 'litesvm'
import { type EpochStart, regularEpochs } from './epochs.ts'
import { configured } from './genesis.ts'
import { type Block, type Change, headOf, type Ledger, type OpenSlot, undoDepth } from './ledger.ts'
import type { ExecutedTransaction, Meta } from './transaction.ts'
import { decodeTransaction } from './wire.ts'

interface StoredAccount {
  lamports: string
  data: string
  owner: string
  executable: boolean
}

interface StoredSlot {
  slot: number
  time: number
  transactions: { slot: number; bytes: string; meta: Meta }[]
  changes: { address: string; before: StoredAccount | null }[] | null
}

type StoredBlock = Omit<Block, keyof StoredSlot> & StoredSlot

/** The state except older blocks, which are in an append-only file; `logBytes` of it are valid. */
interface StoredState {
  genesisHash: string
  forks: number
  svm: string
  logBytes: number
  blocks: StoredBlock[]
  open: StoredSlot
  /** Absent in a state of an earlier version. */
  epochs?: EpochStart[]
}

const stateFile = (home: string) => join(home, 'state.json')
const logFile = (home: string) => join(home, 'blocks.jsonl')

/** The written part of the log: blocks that can no longer be undone. */
export interface Saved {
  blocks: number
  bytes: number
}

/** Writes the state atomically: a start finds the previous state or this one. */
export function saveState(home: string, ledger: Ledger, saved: Saved): Saved {
  mkdirSync(home, { recursive: true })
  const settled = Math.max(saved.blocks, headOf(ledger).height + 1 - undoDepth)
  const lines = ledger.blocks
    .slice(saved.blocks, settled)
    .map((block) => `${JSON.stringify(storedBlock({ ...block, changes: null }))}\n`)
    .join('')
  // Bytes beyond the valid ones are from an interrupted save.
  if (existsSync(logFile(home))) truncateSync(logFile(home), saved.bytes)
  appendFileSync(logFile(home), lines)
  const bytes = saved.bytes + Buffer.byteLength(lines)
  const state: StoredState = {
    genesisHash: ledger.genesisHash,
    forks: ledger.forks,
    logBytes: bytes,
    svm: Buffer.from(ledger.svm.toBytes()).toString('base64'),
    blocks: ledger.blocks.slice(settled).map(storedBlock),
    open: storedSlot(ledger.open),
    epochs: ledger.epochs,
  }
  writeFileSync(`${stateFile(home)}.new`, JSON.stringify(state))
  renameSync(`${stateFile(home)}.new`, stateFile(home))
  return { blocks: settled, bytes }
}

/** Null if nothing was saved. */
export function loadState(home: string, finalizedDepth: number): { ledger: Ledger; saved: Saved } | null {
  if (!existsSync(stateFile(home))) return null
  const state = JSON.parse(readFileSync(stateFile(home), 'utf8')) as StoredState
  const log = readFileSync(logFile(home)).subarray(0, state.logBytes).toString('utf8')
  const settled = log
    .split('\n')
    .filter(Boolean)
    .map((line) => readBlock(JSON.parse(line) as StoredBlock))
  const blocks = [...settled, ...state.blocks.map(readBlock)]
  const open: OpenSlot = { ...readSlot(state.open), changes: readChanges(state.open.changes) ?? [] }
  const transactions = [...blocks.flatMap((block) => block.transactions), ...open.transactions]
  const ledger: Ledger = {
    svm: configured(LiteSVM.fromBytes(Uint8Array.from(Buffer.from(state.svm, 'base64')))),
    genesisHash: state.genesisHash,
    forks: state.forks,
    finalizedDepth,
    blocks,
    open,
    bySlot: new Map(blocks.map((block) => [block.slot, block])),
    bySignature: new Map(transactions.map((each) => [each.signature, each])),
    epochs: state.epochs ?? regularEpochs(open.slot, open.time),
  }
  return { ledger, saved: { blocks: settled.length, bytes: state.logBytes } }
}

const storedBlock = (block: Block): StoredBlock => ({ ...block, ...storedSlot(block) })
const readBlock = (stored: StoredBlock): Block => ({
  ...stored,
  ...readSlot(stored),
  changes: readChanges(stored.changes),
})

function storedSlot({
  slot,
  time,
  transactions,
  changes,
}: Pick<Block, 'slot' | 'time' | 'transactions' | 'changes'>): StoredSlot {
  return {
    slot,
    time,
    transactions: transactions.map((each) => ({
      slot: each.slot,
      bytes: Buffer.from(each.wire.bytes).toString('base64'),
      meta: each.meta,
    })),
    changes:
      changes?.map(({ address, before }) => ({ address, before: before && storedAccount(before) })) ?? null,
  }
}

const readSlot = ({
  slot,
  time,
  transactions,
}: StoredSlot): Pick<Block, 'slot' | 'time' | 'transactions'> => ({
  slot,
  time,
  transactions: transactions.map((each): ExecutedTransaction => {
    const wire = decodeTransaction(Uint8Array.from(Buffer.from(each.bytes, 'base64')))
    return { signature: wire.signatures[0] ?? '', slot: each.slot, wire, meta: each.meta }
  }),
})

const storedAccount = ({ lamports, data, programAddress, executable }: EncodedAccount): StoredAccount => ({
  lamports: String(lamports),
  owner: programAddress,
  executable,
  data: Buffer.from(data).toString('base64'),
})

const readChanges = (changes: StoredSlot['changes']): Change[] | null =>
  changes?.map(({ address, before }) => ({
    address: address as Address,
    before: before && readAccount(address as Address, before),
  })) ?? null

function readAccount(address: Address, stored: StoredAccount): EncodedAccount {
  const data = Uint8Array.from(Buffer.from(stored.data, 'base64'))
  const lamports = BigInt(stored.lamports) as Lamports
  return {
    address,
    lamports,
    data,
    programAddress: stored.owner as Address,
    executable: stored.executable,
    space: BigInt(data.length),
  }
}
