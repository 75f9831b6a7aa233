import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Block } from '../../../src/chains/chain.ts'
import { howMany } from '../../support/full.ts'
import type { NodeReceipt, RecordedNode } from '../../support/recordedNode.ts'
import { byHash, byReceipts, open, type Recorded, read, recorded, type Way, ways } from '../readRecorded.ts'
import { blockForgeries, blockForgeryNames, type ServedBlock } from './evmBlockForgeries.ts'
import { type Choose, receiptForgeries, receiptForgeryNames } from './evmForgeries.ts'
import {
  expectAllTried,
  expectDisagreement,
  type Fate,
  type Fates,
  fateOf,
  note,
  printFates,
  trustedByDocs,
  trustedOf,
} from './fates.ts'

// A node serves recorded blocks of mainnet with false content under their known hashes.

/** Traces are the same in every way of reading, so only one way requests them. */
const wayNames = [...new Set(ways.map(({ name }) => name))]
const lieNames = [...receiptForgeryNames, ...blockForgeryNames]

/** Reproducible choices by seed; fast-check generates the seeds. */
const choosing = (choices: readonly number[]): Choose => {
  let next = 0
  return (count) => (count === 0 ? 0 : (choices[next++ % choices.length] as number) % count)
}

type Opened = Awaited<ReturnType<typeof open>>

/** A block to falsify. */
interface Victim extends Opened {
  height: number
  way: Way
  served: ServedBlock
  /** The block as read from an honest node. */
  truth: Block
  /** Reads from the false node and an honest one. */
  both: Opened
}

async function readBy({ reader }: Pick<Opened, 'reader'>, height: number, way: Way): Promise<Block> {
  if (!way.light) return read(reader, height, way)
  const [block] = await reader.blocks(height, height)
  if (!block) throw new Error(`block ${height} not found`)
  return block
}

async function victim(each: Recorded, way: Way): Promise<Victim> {
  const opened = await open(each, way, way === byReceipts)
  const both = await open(each, way, way === byReceipts, opened.node.url)
  const truth = await readBy(opened, each.height, way)
  const close = async () => void (await Promise.all([opened.close(), both.close()]))
  return {
    ...opened,
    both,
    close,
    height: each.height,
    way,
    served: servedBy(opened.node, each.height, way),
    truth,
  }
}

function servedBy({ recordings }: RecordedNode, height: number, way: Way): ServedBlock {
  const served = recordings.get(height) as ServedBlock
  return way === byReceipts ? served : { ...served, traces: null }
}

const hashesOf = ({ block }: ServedBlock) => ({
  ...block,
  transactions: block.transactions.map(({ hash }) => hash),
})

/** Answers with the false block; receipts of single transactions stay true. */
const answering =
  (lie: ServedBlock) =>
  (method: string, result: unknown): unknown => {
    if (method === 'eth_getBlockByNumber')
      return typeof (result as ServedBlock['block']).transactions[0] === 'string' ? hashesOf(lie) : lie.block
    if (method === 'eth_getBlockReceipts') return lie.receipts
    if (method === 'eth_getLogs') return lie.receipts.flatMap(({ logs }) => logs)
    return method === 'debug_traceBlockByHash' ? lie.traces : result
  }

async function readLie(each: Victim, lie: ServedBlock): Promise<Fate> {
  each.node.tamper = answering(lie)
  try {
    const { fate, block } = await fateOf(each.truth, () => readBy(each, each.height, each.way))
    if (fate === 'believed' && block)
      await expectDisagreement(each.both.reader, each.truth, withoutInternal(block))
    return fate
  } finally {
    each.node.tamper = null
  }
}

/** Internal transfers are not requested from a second node. */
const withoutInternal = (block: Block): Block => ({
  ...block,
  transfers: block.transfers.filter(({ movementKey }) => !movementKey.startsWith('trace:')),
})

const withReceipts = (served: ServedBlock, receipts: NodeReceipt[] | null): ServedBlock | null =>
  receipts && { ...served, receipts }

/** The change is visible without proof: log indexes have a gap or are out of order, or no log is left. */
const showsInNumbers = ({ receipts }: ServedBlock) => {
  const numbers = receipts.flatMap(({ logs }) => logs.map(({ logIndex }) => Number(logIndex)))
  return numbers.length === 0 || numbers.some((number, index) => number !== index)
}

describe('a false answer about a recorded block', () => {
  const victims: Victim[] = []
  const fates: Fates = new Map()
  beforeAll(async () => {
    for (const way of ways) victims.push(...(await Promise.all(recorded.map((each) => victim(each, way)))))
  })
  afterAll(() => Promise.all(victims.map((each) => each.close())))

  test("about its receipts is always refused: they must match the header's root", async () => {
    const byRoot = victims.filter(({ way }) => way === byReceipts)
    const choices = fc.array(fc.nat(), { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...byRoot), choices, async (each, numbers) => {
        for (const name of receiptForgeryNames) {
          const lie = withReceipts(
            each.served,
            receiptForgeries[name](each.served.receipts, choosing(numbers)),
          )
          if (lie) expect({ name, fate: await readLie(each, lie) }).toEqual({ name, fate: 'refused' })
        }
      }),
      { numRuns: howMany(2, 100) },
    )
  })

  test('by one node is refused, or has no effect, or adds no payment that another node confirms', async () => {
    const lies = [
      ...receiptForgeryNames.map((name) => ({
        name,
        of: (served: ServedBlock, choose: Choose) =>
          withReceipts(served, receiptForgeries[name](served.receipts, choose)),
      })),
      ...blockForgeryNames.map((name) => ({ name, of: blockForgeries[name] })),
    ]
    for (const { name, of } of lies) {
      for (const each of victims) {
        // Logs alone prove more or less, depending on the chosen log.
        for (let round = 0; round < (each.way === byHash ? howMany(2, 20) : 1); round++) {
          const lie = of(each.served, choosing([7919 * (round + 1), 104_729 * (round + 3), 31 * round]))
          if (!lie) continue
          const fate = await readLie(each, lie)
          if (showsInNumbers(lie)) expect({ name, fate }).not.toEqual({ name, fate: 'believed' })
          note(fates, name, each.way.name, fate)
        }
      }
    }
    printFates('EVM', wayNames, fates)
    expectAllTried(fates, lieNames)
  }, 240_000)

  test('one node is trusted only where docs/chains.md lists it', () => {
    expect(trustedOf(wayNames, fates)).toEqual(trustedByDocs('EVM'))
  })
})
