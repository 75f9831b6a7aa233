import type { Block, BlockHeader, PackedMovements, Transfer } from '../../chain.ts'
import {
  addressAt,
  addressSize,
  transferAt,
  transferCount,
  watchedTransfers,
  watchedWords,
} from './packedTransfers.ts'
import type { ScannedReceipts } from './scanReceipts.ts'

/**
 * A block of which only transfers in logs are known, and the accounts that may have moved the native coin.
 * They become objects where they are read.
 */
export function lightBlock(
  header: BlockHeader,
  source: string,
  scanned: ScannedReceipts,
  withdrawals: readonly Transfer[],
): Block {
  let transfers: Transfer[] | null = null
  let unread: string[] | null = null
  return {
    ...header,
    source,
    traced: scanned.nativeByEvents,
    packed: packed(scanned, withdrawals),
    get transfers() {
      transfers ??= [
        ...Array.from({ length: transferCount(scanned) }, (_, index) => transferAt(scanned, index)),
        ...withdrawals,
      ]
      return transfers
    },
    get unread() {
      unread ??= [
        ...new Set(
          Array.from({ length: scanned.touched.length / addressSize }, (_, index) =>
            addressAt(scanned.touched, index * addressSize),
          ),
        ),
      ]
      return unread
    },
  }
}

function packed(scanned: ScannedReceipts, withdrawals: readonly Transfer[]): PackedMovements {
  return {
    matching(watches) {
      const isWatched = watchedTransfers(scanned, watches)
      const found: Transfer[] = []
      for (let index = 0; index < transferCount(scanned); index++)
        if (isWatched(index)) found.push(transferAt(scanned, index))
      return [...found, ...withdrawals]
    },
    touches(watches) {
      const isWatched = watchedWords(scanned.touched, watches)
      for (let word = 0; word * 4 < scanned.touched.length; word += addressSize / 4)
        if (isWatched(word)) return true
      return false
    },
  }
}
