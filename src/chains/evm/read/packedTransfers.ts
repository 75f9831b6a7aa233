import type { Transfer, WatchFlags } from '../../chain.ts'
import { hashLength, type ScannedReceipts } from './scanReceipts.ts'

/**
 * Transfers as the module writes them: see wasm/evm/transfers.ts. They become objects where they are read.
 */

/** Set in the index of the receipt. */
const nativeFlag = 2 ** 31

type Packed = Pick<ScannedReceipts, 'transfers' | 'hashes'>

/** Bytes of a transfer, and where its parts start. */
const size = 100
const at = { contract: 0, from: 20, to: 40, amount: 60, logIndex: 92, receipt: 96 } as const
export const addressSize = 20
/**
 * In units of four bytes: one array for all addresses, because a view of each takes longer than its search in
 * the table.
 */
const words = { transfer: size / 4, from: at.from / 4, to: at.to / 4, receipt: at.receipt / 4 } as const

export const transferCount = ({ transfers }: Pick<Packed, 'transfers'>): number => transfers.length / size

/**
 * @returns the index of the receipt in the block of the transfer at an index, and whether it is of the native
 * coin
 */
export function originsOf({
  transfers,
}: Pick<Packed, 'transfers'>): (index: number) => { receipt: number; isNative: boolean } {
  const all = wordsOf(transfers)
  return (index) => {
    const origin = all[index * words.transfer + words.receipt] as number
    return { receipt: origin % nativeFlag, isNative: origin >= nativeFlag }
  }
}

export function transferAt(scanned: Packed, index: number): Transfer {
  const bytes = Buffer.from(scanned.transfers.buffer, scanned.transfers.byteOffset + index * size, size)
  const origin = bytes.readUInt32LE(at.receipt)
  const hash = (origin % nativeFlag) * hashLength
  return {
    txId: textOf(scanned.hashes.subarray(hash, hash + hashLength)),
    movementKey: `log:${bytes.readUInt32LE(at.logIndex)}`,
    contract: origin >= nativeFlag ? null : addressAt(bytes, at.contract),
    from: addressAt(bytes, at.from),
    to: addressAt(bytes, at.to),
    amount: BigInt(`0x${bytes.toString('hex', at.amount, at.logIndex)}`),
  }
}

/** @returns whether a side of the transfer at an index is watched */
export function watchedTransfers(
  { transfers }: Pick<Packed, 'transfers'>,
  watches: WatchFlags,
): (index: number) => boolean {
  const isWatched = watchedWords(transfers, watches)
  return (index) => {
    const word = index * words.transfer
    return isWatched(word + words.to) || isWatched(word + words.from)
  }
}

/** @returns whether the address that starts at a word of the bytes is watched */
export function watchedWords(bytes: Uint8Array, watches: WatchFlags): (word: number) => boolean {
  const all = wordsOf(bytes)
  return (word) => watches.flagsAt(all, word) !== 0
}

export const addressAt = (bytes: Uint8Array, from: number): string =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset + from, addressSize).toString('hex')}`

/** Bytes of ASCII as text. */
export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')

const wordsOf = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
