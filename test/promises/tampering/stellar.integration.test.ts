import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Block, BlockReader } from '../../../src/chains/chain.ts'
import { type HorizonLedger, startRecordedHorizon } from '../../support/recordedHorizon.ts'
import { ledgerRow, rowsOf, startRecordedStellar } from '../../support/recordedStellar.ts'
import { openReader } from '../openReader.ts'
import {
  expectAllTried,
  expectDisagreement,
  type Fates,
  fateOf,
  note,
  printFates,
  trustedByDocs,
  trustedOf,
} from './fates.ts'
import { stellarForgeries } from './stellarForgeries.ts'
import { ledgersBy, type Way, ways } from './stellarLedgers.ts'

// A node serves ledgers of recorded transactions with false content under their known hashes.

const lieNames = Object.keys(stellarForgeries)
const wayNames = ways.map(({ name }) => name)

const read = async (reader: BlockReader, height: number): Promise<Block> => {
  const block = await reader.block(height)
  if (!block) throw new Error(`ledger ${height} not found`)
  return block
}

interface Node {
  url: string
  /** Served in place of the true ledger of its height. Null: the truth. */
  serve(ledger: HorizonLedger | null): void
  close(): Promise<void>
}

async function startNode(ledgers: readonly HorizonLedger[], { horizon }: Way): Promise<Node> {
  if (horizon) {
    const node = await startRecordedHorizon(ledgers)
    const serve = (ledger: HorizonLedger | null) => {
      node.replacement = ledger
    }
    return { url: node.url, close: () => node.close(), serve }
  }
  const node = await startRecordedStellar(ledgers)
  const serve = (ledger: HorizonLedger | null) => {
    node.tamper =
      ledger &&
      ((method, result) => {
        if (method === 'getLedgers') return { ...(result as object), ledgers: [ledgerRow(ledger)] }
        if (method !== 'getTransactions') return result
        return { ...(result as object), transactions: rowsOf(ledger), cursor: '' }
      })
  }
  return { url: node.url, close: () => node.close(), serve }
}

/** A node that may be false, an honest one, and readers of the first and of both. */
async function openVictim(way: Way) {
  const ledgers = ledgersBy(way)
  const [node, honest] = await Promise.all([startNode(ledgers, way), startNode(ledgers, way)])
  // Nothing listens there: a Stellar chain needs an RPC URL.
  const unusedUrl = 'http://127.0.0.1:9'
  const open = (urls: string) =>
    way.horizon ? openReader('stellar', unusedUrl, urls) : openReader('stellar', urls)
  const [one, both] = await Promise.all([open(node.url), open(`${node.url},${honest.url}`)])
  const truths: Block[] = []
  for (const { header } of ledgers) truths.push(await read(one.reader, header.ledgerSeq))
  const close = () => Promise.all([node, honest, one, both].map((each) => each.close()))
  return { way, node, ledgers, truths, one: one.reader, both: both.reader, close }
}

describe('a false answer about a ledger', () => {
  const victims: Awaited<ReturnType<typeof openVictim>>[] = []
  const fates: Fates = new Map()
  beforeAll(async () => {
    for (const way of ways) victims.push(await openVictim(way))
  })
  afterAll(() => Promise.all(victims.map((each) => each.close())))

  test('by one node is refused, or has no effect, or adds no payment that another node confirms', async () => {
    for (const [name, lieAbout] of Object.entries(stellarForgeries)) {
      for (const { way, node, ledgers, truths, one, both } of victims) {
        for (const [index, ledger] of ledgers.entries()) {
          const [lie, truth] = [lieAbout(ledger), truths[index] as Block]
          if (!lie) continue
          node.serve(lie)
          const { fate, block } = await fateOf(truth, () => read(one, truth.height))
          note(fates, name, way.name, fate)
          if (fate === 'believed' && block) await expectDisagreement(both, truth, block)
          node.serve(null)
        }
      }
    }
    printFates('stellar', wayNames, fates)
    expectAllTried(fates, lieNames)
  })

  test('one node is trusted only where docs/chains.md lists it', () => {
    expect(trustedOf(wayNames, fates)).toEqual(trustedByDocs('stellar'))
  })
})
