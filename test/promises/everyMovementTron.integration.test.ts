import { afterAll, describe, expect, test } from '@jest/globals'
import type { Block, BlockReader, Transfer } from '../../src/chains/chain.ts'
import { startRecordedTron, type TronOptions, type TronRecording, tronHeaders, tronTokenBlock, wholeTronBlock } from '../support/recordedTron.ts'
import { countMovements, linesOf, type Movement, movementsAsRecorded, rawTransactions } from './counting/tron/countTron.ts'
import { openReader } from './openReader.ts'
import { print } from './readRecorded.ts'

// Our reader goes by the signed bytes of each transaction and by logs. The count goes by the JSON that the node decoded beside the bytes, and by
// what was called. The two have to find the same. Logs were not recorded: for tokens the node here gives each call the log it must have had.

const wholeBlock = 'block-79072107.json'
const tokenCalls = 'trc20_block_78115149.json'

const movementOf = ({ txId, from, to, contract, amount }: Transfer): Movement => ({ txId, from, to, contract, amount })

async function withReader<T>(recordings: readonly TronRecording[], options: TronOptions, use: (reader: BlockReader) => Promise<T>): Promise<T> {
  const node = await startRecordedTron(recordings, options)
  const { reader, close } = await openReader('tron', node.url)
  try {
    return await use(reader)
  } finally {
    await close()
    await node.close()
  }
}

/** Read at the head and, as far below it, in a row: both are the same on this chain. */
const readBlock = (recording: TronRecording, options: TronOptions = {}): Promise<Block> =>
  withReader([recording], options, async (reader) => {
    const { number } = recording.block_header.raw_data
    const block = await reader.block(number)
    if (!block) throw new Error(`block ${number} is not there`)
    const [again] = await reader.blocks(number, number)
    expect(linesOf((again?.transfers ?? []).map(movementOf))).toEqual(linesOf(block.transfers.map(movementOf)))
    expect(new Set(block.transfers.map(({ txId, movementKey }) => `${txId} ${movementKey}`)).size).toBe(block.transfers.length)
    return block
  })

describe('every movement of a recorded block is found, as it was counted by what was signed and called', () => {
  const rows: string[][] = [['tron', 'transactions', 'TRC-20', 'TRX']]
  const tell = (name: string, transactions: number, movements: readonly Movement[]) => {
    const tokens = movements.filter(({ contract }) => contract !== null).length
    rows.push([name, `${transactions}`, `${tokens}`, `${movements.length - tokens}`])
    return { tokens, native: movements.length - tokens }
  }
  afterAll(() => {
    print(rows)
    print([['TRC-10 counts for nothing; what contracts sent of TRX was not recorded, nor were logs']])
  })

  test('TRX and the tokens of a whole block', async () => {
    const transactions = rawTransactions(wholeBlock)
    const counted = transactions.flatMap(countMovements)
    const { transfers } = await readBlock(wholeTronBlock(), { withLogs: true })
    expect(linesOf(transfers.map(movementOf))).toEqual(linesOf(counted))
    tell(`counted, ${wholeBlock}`, transactions.length, counted)
    const { tokens, native } = tell('found', transactions.length, transfers.map(movementOf))
    expect(Math.min(tokens, native)).toBeGreaterThan(0)
  })

  test('a call without a log is no movement of a token', async () => {
    const counted = rawTransactions(wholeBlock).flatMap(countMovements)
    const { transfers } = await readBlock(wholeTronBlock())
    expect(linesOf(transfers.map(movementOf))).toEqual(linesOf(counted.filter(({ contract }) => contract === null)))
  })

  test('what did not succeed moved nothing, and all else is found', async () => {
    const transactions = rawTransactions(wholeBlock)
    const failed = new Set(transactions.filter((_, index) => index % 3 === 0).map(({ txID }) => txID))
    const counted = transactions.flatMap(countMovements)
    const left = counted.filter(({ txId }) => !failed.has(txId))
    expect(left.length).toBeLessThan(counted.length)
    const { transfers } = await readBlock(wholeTronBlock(), { withLogs: true, failed: (txId) => failed.has(txId) })
    expect(linesOf(transfers.map(movementOf))).toEqual(linesOf(left))
    tell('found, a third told of as failed', transactions.length, left)
  })

  test('tokens of a block that others decoded', async () => {
    const counted = movementsAsRecorded(tokenCalls)
    const block = tronTokenBlock()
    const { transfers } = await readBlock(block, { withLogs: true })
    expect(linesOf(transfers.map(movementOf))).toEqual(linesOf(counted))
    tell(`decoded by others, ${tokenCalls}`, block.transactions?.length ?? 0, counted)
    expect(tell('found', block.transactions?.length ?? 0, transfers.map(movementOf)).tokens).toBeGreaterThan(0)
  })
})

describe('headers of mainnet', () => {
  const { recordings, ids, parentOfFirst } = tronHeaders()

  test("have the ids that they were recorded with, each its successor's parent", async () => {
    expect(recordings).toHaveLength(100)
    await withReader(recordings, {}, async (reader) => {
      const headers = await Promise.all(recordings.map(({ block_header }) => reader.header(block_header.raw_data.number)))
      expect(headers.map((header) => header?.id)).toEqual(ids)
      expect(headers.map((header) => header?.parentId)).toEqual([parentOfFirst, ...ids.slice(0, -1)])
      expect((await reader.head()).id).toBe(ids.at(-1))
    })
  })

  test('are refused when anything of them was changed', async () => {
    const [first] = recordings
    if (!first) throw new Error('no header was recorded')
    const { raw_data } = first.block_header
    const changes = [
      { timestamp: raw_data.timestamp + 1 },
      { txTrieRoot: raw_data.parentHash },
      { parentHash: raw_data.txTrieRoot },
      { version: raw_data.version + 1 },
      { witness_address: `${raw_data.witness_address.slice(0, -1)}${raw_data.witness_address.endsWith('0') ? '1' : '0'}` },
    ]
    for (const change of changes) {
      const forged = { ...first, block_header: { raw_data: { ...raw_data, ...change } } }
      await withReader([forged], {}, (reader) => expect(reader.header(raw_data.number)).rejects.toThrow(/not that of its header/))
    }
  })
})
