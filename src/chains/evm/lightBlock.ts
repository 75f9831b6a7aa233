import type { Block, BlockHeader, PackedMovements, Transfer, WatchFlags } from '../chain.ts'
import { bloomEquals } from './bloom.ts'
import type { EvmRules } from './movements.ts'
import type { RpcLightBlock } from './rpcTypes.ts'
import { hashLength, type ScannedReceipts } from './scanReceipts.ts'

/** Bytes of a transfer, and where its parts begin: see wasm/evm/transfers.ts. */
const size = 100
const at = { contract: 0, from: 20, to: 40, amount: 60, logIndex: 92, receipt: 96 } as const
const width = 20
/** In words of four bytes: one array for all addresses, because a view of each takes longer than its search in the table. */
const words = { address: width / 4, transfer: size / 4, from: at.from / 4, to: at.to / 4 } as const

/**
 * Whether the receipts are those of the block, each in its place and none missing or changed. If not, they may still be right: then the reader of
 * JavaScript decides (`requireCompleteReceipts`).
 */
export function areOfBlock({ trusted }: Pick<EvmRules, 'trusted'>, block: RpcLightBlock, scanned: ScannedReceipts): boolean {
  const { transactions, hash, receiptsRoot, logsBloom } = block
  if (!Array.isArray(transactions) || transactions.length * hashLength !== scanned.hashes.length) return false
  if (!transactions.every((each) => typeof each === 'string') || transactions.join('') !== latin1(scanned.hashes)) return false
  if (scanned.blockHash !== null && scanned.blockHash !== hash) return false
  return trusted ? bloomEquals(scanned.bloom, logsBloom) : scanned.root === receiptsRoot
}

/** A block of which only transfers in logs are known, and the accounts that may have moved the native coin. They become objects where they are read. */
export function lightBlock(header: BlockHeader, source: string, scanned: ScannedReceipts, withdrawals: readonly Transfer[]): Block {
  let transfers: Transfer[] | null = null
  let unread: string[] | null = null
  return {
    ...header,
    source,
    traced: scanned.nativeByEvents,
    packed: packed(scanned, withdrawals),
    get transfers() {
      transfers ??= [...Array.from({ length: scanned.transfers.length / size }, (_, index) => transferAt(scanned, index)), ...withdrawals]
      return transfers
    },
    get unread() {
      unread ??= [...new Set(Array.from({ length: scanned.touched.length / width }, (_, index) => address(scanned.touched, index * width)))]
      return unread
    },
  }
}

function packed(scanned: ScannedReceipts, withdrawals: readonly Transfer[]): PackedMovements {
  return {
    matching(watches) {
      const isWatched = lookup(scanned.transfers, watches)
      const found: Transfer[] = []
      for (let index = 0; index * size < scanned.transfers.length; index++) {
        const word = index * words.transfer
        if (isWatched(word + words.to) || isWatched(word + words.from)) found.push(transferAt(scanned, index))
      }
      return [...found, ...withdrawals]
    },
    touches(watches) {
      const isWatched = lookup(scanned.touched, watches)
      for (let word = 0; word * 4 < scanned.touched.length; word += words.address) if (isWatched(word)) return true
      return false
    },
  }
}

/** @returns whether the address that begins at a word of the bytes is watched */
function lookup(bytes: Uint8Array, watches: WatchFlags): (word: number) => boolean {
  const all = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  return (word) => watches.flagsAt(all, word) !== 0
}

function transferAt({ transfers, hashes }: ScannedReceipts, index: number): Transfer {
  const bytes = Buffer.from(transfers.buffer, transfers.byteOffset + index * size, size)
  const hash = bytes.readUInt32LE(at.receipt) * hashLength
  return {
    txId: latin1(hashes, hash, hash + hashLength),
    movementKey: `log:${bytes.readUInt32LE(at.logIndex)}`,
    contract: address(bytes, at.contract),
    from: address(bytes, at.from),
    to: address(bytes, at.to),
    amount: BigInt(`0x${bytes.toString('hex', at.amount, at.logIndex)}`),
  }
}

const latin1 = (bytes: Uint8Array, from = 0, to = bytes.length) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to)

const address = (bytes: Uint8Array, from: number): string => `0x${Buffer.from(bytes.buffer, bytes.byteOffset + from, width).toString('hex')}`
