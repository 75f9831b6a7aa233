import type { PackedMovements, Transfer, WatchFlags } from '../../src/chains/chain.ts'
import type { EvmRules } from '../../src/chains/evm/read/movements.ts'
import { originsOf, transferCount } from '../../src/chains/evm/read/packedTransfers.ts'
import { blockOfReceipts, blockOfScanned, type ReadBlock } from '../../src/chains/evm/read/readBlock.ts'
import { scanReceipts } from '../../src/chains/evm/read/scanReceipts.ts'
import { isWholeBy } from '../../src/chains/evm/read/wholeBlock.ts'
import type { RpcBlock } from '../../src/chains/evm/rpcTypes.ts'
import { sound } from '../../src/chains/providers/sound.ts'

/** What a block and its receipts show. */
type WholeReading =
  | { transfers: Transfer[]; header: object; nativeByEvents: boolean; unproven: readonly string[] }
  | { refused: true }

interface ByBytes {
  read: WholeReading
  packed: PackedMovements | undefined
  /** Movements of the native coin in logs. */
  natives: number
}

/**
 * A block with the answer about its receipts as their bytes are read, null where they are not understood, and
 * as JavaScript reads it.
 */
export function bothBlocks(
  rules: EvmRules,
  raw: RpcBlock,
  answer: Uint8Array,
  id: number,
): { scanned: ByBytes | null; byParsing: WholeReading } {
  const scanned = scanReceipts([answer], id, {
    withRoot: rules.trusted !== true,
    nativeLog: rules.nativeLog,
    whole: true,
  })
  const byParsing = () =>
    readingOf(() => blockOfReceipts(rules, 'node', raw, JSON.parse(Buffer.from(answer).toString()).result))
      .read
  if (!scanned || !isWholeBy(rules, raw, scanned)) return { scanned: null, byParsing: byParsing() }
  const { read, packed } = readingOf(() => blockOfScanned(rules, 'node', raw, scanned))
  const originOf = originsOf(scanned)
  const natives = Array.from({ length: transferCount(scanned) }, (_, index) => originOf(index)).filter(
    ({ isNative }) => isNative,
  ).length
  return { scanned: { read, packed, natives }, byParsing: byParsing() }
}

function readingOf(read: () => ReadBlock): Pick<ByBytes, 'read' | 'packed'> {
  try {
    const { block, nativeByEvents, unproven } = sound(read)
    const { transfers, packed, ...header } = block
    return { read: { transfers, header, nativeByEvents, unproven }, packed }
  } catch {
    return { read: { refused: true }, packed: undefined }
  }
}

/** Watches one address. */
export function watching(address: string): WatchFlags {
  const isIt = (bytes: Uint8Array) => (`0x${Buffer.from(bytes).toString('hex')}` === address ? 1 : 0)
  return {
    flags: isIt,
    flagsAt: (words, at) => isIt(new Uint8Array(words.buffer, words.byteOffset + at * 4, 20)),
  }
}

/** Whether a side of a transfer is watched. */
export const isWatchedBy =
  ({ flags }: WatchFlags) =>
  ({ from, to }: Transfer): boolean =>
    [from, to].some((address) => flags(Buffer.from(address.slice(2), 'hex')) !== 0)
