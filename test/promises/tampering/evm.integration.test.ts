import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Block } from '../../../src/chains/chain.ts'
import { howMany } from '../../support/full.ts'
import type { NodeReceipt, RecordedNode } from '../../support/recordedNode.ts'
import { byHash, byLight, byReceipts, open, type Recorded, read, recorded, type Way } from '../readRecorded.ts'
import { blockLieNames, blockLies, type ReportedBlock } from './evmBlockLies.ts'
import { type Choose, receiptLieNames, receiptLies } from './evmLies.ts'
import { believedByDocs, believedOf, expectAllTold, expectDisagreement, type Fate, type Fates, fateOf, note, printFates } from './fates.ts'

// The node that serves blocks of mainnet lies about them, under their known hashes.

/** Traces tell the same whatever way a block is read: they are asked for in one. */
const ways = [byReceipts, byHash, byLight]
const wayNames = ways.map(({ name }) => name)
const lieNames = [...receiptLieNames, ...blockLieNames]

/** The same choices again for the same seed; fast-check makes the seeds. */
const choosing = (choices: readonly number[]): Choose => {
  let next = 0
  return (count) => (count === 0 ? 0 : (choices[next++ % choices.length] as number) % count)
}

type Opened = Awaited<ReturnType<typeof open>>

/** A block to lie about. */
interface Victim extends Opened {
  height: number
  way: Way
  told: ReportedBlock
  /** What is read while it is not lied about. */
  truth: Block
  /** Reads of the node that lies, and of an honest one. */
  both: Opened
}

async function readBy({ reader }: Pick<Opened, 'reader'>, height: number, way: Way): Promise<Block> {
  if (!way.light) return read(reader, height, way)
  const [block] = await reader.blocks(height, height)
  if (!block) throw new Error(`there is no block ${height}`)
  return block
}

async function victim(each: Recorded, way: Way): Promise<Victim> {
  const opened = await open(each, way, way === byReceipts)
  const both = await open(each, way, way === byReceipts, opened.node.url)
  const truth = await readBy(opened, each.height, way)
  const close = async () => void (await Promise.all([opened.close(), both.close()]))
  return { ...opened, both, close, height: each.height, way, told: toldBy(opened.node, each.height, way), truth }
}

function toldBy({ recordings }: RecordedNode, height: number, way: Way): ReportedBlock {
  const told = recordings.get(height) as ReportedBlock
  return way === byReceipts ? told : { ...told, traces: null }
}

const hashesOf = ({ block }: ReportedBlock) => ({ ...block, transactions: block.transactions.map(({ hash }) => hash) })

/** Answers with the lie; receipts of single transactions stay true. */
const answering =
  (lie: ReportedBlock) =>
  (method: string, result: unknown): unknown => {
    if (method === 'eth_getBlockByNumber') return typeof (result as ReportedBlock['block']).transactions[0] === 'string' ? hashesOf(lie) : lie.block
    if (method === 'eth_getBlockReceipts') return lie.receipts
    if (method === 'eth_getLogs') return lie.receipts.flatMap(({ logs }) => logs)
    return method === 'debug_traceBlockByHash' ? lie.traces : result
  }

async function tell(each: Victim, lie: ReportedBlock): Promise<Fate> {
  each.node.tamper = answering(lie)
  try {
    const { fate, told } = await fateOf(each.truth, () => readBy(each, each.height, each.way))
    if (fate === 'believed' && told) await expectDisagreement(each.both.reader, each.truth, withoutInternal(told))
    return fate
  } finally {
    each.node.tamper = null
  }
}

/** A second node is not asked for them. */
const withoutInternal = (block: Block): Block => ({
  ...block,
  transfers: block.transfers.filter(({ movementKey }) => !movementKey.startsWith('trace:')),
})

const withReceipts = (told: ReportedBlock, receipts: NodeReceipt[] | null): ReportedBlock | null => receipts && { ...told, receipts }

/** Whether a lie shows without any proof: the logs' numbers have a gap or are out of order, or no log is left. */
const showsInNumbers = ({ receipts }: ReportedBlock) => {
  const numbers = receipts.flatMap(({ logs }) => logs.map(({ logIndex }) => Number(logIndex)))
  return numbers.length === 0 || numbers.some((number, index) => number !== index)
}

describe('a lie about a recorded block', () => {
  const victims: Victim[] = []
  const fates: Fates = new Map()
  beforeAll(async () => {
    for (const way of ways) victims.push(...(await Promise.all(recorded.map((each) => victim(each, way)))))
  })
  afterAll(() => Promise.all(victims.map((each) => each.close())))

  test('about its receipts is refused, whatever it is about: they must give the root that the header commits to', async () => {
    const byRoot = victims.filter(({ way }) => way === byReceipts)
    const choices = fc.array(fc.nat(), { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...byRoot), choices, async (each, numbers) => {
        for (const name of receiptLieNames) {
          const lie = withReceipts(each.told, receiptLies[name](each.told.receipts, choosing(numbers)))
          if (lie) expect({ name, fate: await tell(each, lie) }).toEqual({ name, fate: 'refused' })
        }
      }),
      { numRuns: howMany(2, 100) },
    )
  }, 120_000)

  test('that one node tells is refused, or changes nothing, or adds no payment that another node confirms', async () => {
    const lies = [
      ...receiptLieNames.map((name) => ({
        name,
        of: (told: ReportedBlock, choose: Choose) => withReceipts(told, receiptLies[name](told.receipts, choose)),
      })),
      ...blockLieNames.map((name) => ({ name, of: blockLies[name] })),
    ]
    for (const { name, of } of lies) {
      for (const each of victims) {
        // What logs alone prove depends on which of them is chosen.
        for (let round = 0; round < (each.way === byHash ? howMany(2, 20) : 1); round++) {
          const lie = of(each.told, choosing([7919 * (round + 1), 104_729 * (round + 3), 31 * round]))
          if (!lie) continue
          const fate = await tell(each, lie)
          if (showsInNumbers(lie)) expect({ name, fate }).not.toEqual({ name, fate: 'believed' })
          note(fates, name, each.way.name, fate)
        }
      }
    }
    printFates('EVM', wayNames, fates)
    expectAllTold(fates, lieNames)
  }, 240_000)

  test('is believed of one node only where docs/chains.md says so', () => {
    expect(believedOf(wayNames, fates)).toEqual(believedByDocs('EVM'))
  })
})
