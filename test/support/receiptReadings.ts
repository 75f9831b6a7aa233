import { bloomOf } from '../../src/chains/evm/read/bloom.ts'
import { lightBlock } from '../../src/chains/evm/read/lightBlock.ts'
import { tokensOfReceipts } from '../../src/chains/evm/read/movements.ts'
import { receiptsRoot } from '../../src/chains/evm/read/receiptsRoot.ts'
import { scanReceipts } from '../../src/chains/evm/read/scanReceipts.ts'
import type { RpcReceipt } from '../../src/chains/evm/rpcTypes.ts'

/** What the receipts of a block show. */
export interface ReceiptsReading {
  root: string
  blockHash: string | null
  hashes: string[]
  transfers: object[]
  unread: string[]
  nativeByEvents: boolean
}

type Reading = ReceiptsReading | { refused: string }

const header = { height: 1, id: '', parentId: '', time: new Date(0) }
const hashesIn = (joined: string) => joined.match(/.{66}/g) ?? []
const utf8 = new TextDecoder()

/**
 * An answer to `eth_getBlockReceipts` as its bytes are read, null where they are not understood, and as
 * JavaScript reads it after `JSON.parse`.
 */
export function bothReadings(
  answer: string | Uint8Array,
  id: number,
  nativeLog: string | null,
): { scanned: ReceiptsReading | null; byParsing: Reading; bloom: Uint8Array | null } {
  const bytes = typeof answer === 'string' ? Buffer.from(answer) : answer
  const scanned = scanReceipts([bytes], id, { withRoot: true, nativeLog })
  const block = scanned && lightBlock(header, 'a', scanned, [])
  return {
    scanned: scanned && {
      root: scanned.root ?? '',
      blockHash: scanned.blockHash,
      hashes: hashesIn(Buffer.from(scanned.hashes).toString('latin1')),
      transfers: block?.transfers ?? [],
      unread: [...(block?.unread ?? [])].toSorted(),
      nativeByEvents: block?.traced ?? false,
    },
    byParsing: byParsing(bytes, id, nativeLog),
    bloom: scanned?.bloom ?? null,
  }
}

function byParsing(bytes: Uint8Array, id: number, nativeLog: string | null): Reading {
  try {
    const answer = JSON.parse(utf8.decode(bytes)) as { id?: unknown; error?: unknown; result: RpcReceipt[] }
    if (answer.error || answer.id !== id) throw new Error('not the answer')
    const receipts = answer.result
    let next = 0
    for (const { transactionHash, logs, blockHash } of receipts) {
      if (blockHash !== receipts[0]?.blockHash) throw new Error('of another block')
      for (const log of logs)
        if (Number(log.logIndex) !== next++ || log.transactionHash !== transactionHash)
          throw new Error('a log is missing')
    }
    const { transfers, unread, nativeByEvents } = tokensOfReceipts({ nativeLog, ownReceipts: true }, receipts)
    return {
      root: receiptsRoot(receipts),
      blockHash: receipts[0]?.blockHash ?? null,
      hashes: receipts.map((each) => each.transactionHash),
      transfers,
      unread: unread.toSorted(),
      nativeByEvents,
    }
  } catch (error) {
    return { refused: (error as Error).message }
  }
}

/** The bloom of the logs of receipts, as the header has it. */
export const bloomOfReceipts = (receipts: readonly RpcReceipt[]): Uint8Array =>
  bloomOf(receipts.flatMap(({ logs }) => logs))
