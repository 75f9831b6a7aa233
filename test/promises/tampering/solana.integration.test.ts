import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Block, BlockReader } from '../../../src/chains/chain.ts'
import { full } from '../../support/full.ts'
import { startRecordedSolana } from '../../support/recordedSolana.ts'
import { openReader } from '../openReader.ts'
import { believedByDocs, believedOf, expectAllTold, expectDisagreement, type Fates, fateOf, note, printFates } from './fates.ts'
import { type ReportedBlock, solanaLieNames, solanaLies } from './solanaLies.ts'

// The node that serves recorded slots lies about them, under their known hashes.

const files = ['block-254170887.json', 'block_new_token_account.json', 'block_with_versioned_tx.json']

interface Way {
  name: string
  encoding: 'json' | 'base64'
  light: boolean
}

const ways: Way[] = [
  { name: 'whole blocks', encoding: 'json', light: false },
  // Nodes may answer bytes where JSON is asked for; what they say of balances is the same.
  ...(full ? [{ name: 'whole blocks', encoding: 'base64', light: false } as const] : []),
  { name: 'accounts and balances', encoding: 'json', light: true },
]

const names = [...new Set(ways.map(({ name }) => name))]

const read = async (reader: BlockReader, slot: number, { light }: Way): Promise<Block> => {
  const block = light ? (await reader.blocks(slot, slot))[0] : await reader.block(slot)
  if (!block) throw new Error(`slot ${slot} is not there`)
  return block
}

/** A node that may lie, an honest one, and a reader of the first and of both. */
async function setUp(file: string, way: Way) {
  const [node, honest] = await Promise.all([startRecordedSolana(file, way.encoding), startRecordedSolana(file, way.encoding)])
  const [one, both] = await Promise.all([openReader('solana', node.url), openReader('solana', `${node.url},${honest.url}`)])
  const truth = await read(one.reader, node.slot, way)
  return { node, truth, way, one: one.reader, both: both.reader, close: () => Promise.all([node, honest, one, both].map((each) => each.close())) }
}

type Victim = Awaited<ReturnType<typeof setUp>>

describe('a lie about a recorded slot', () => {
  const victims: Victim[] = []
  const fates: Fates = new Map()
  beforeAll(async () => {
    for (const way of ways) for (const file of files) victims.push(await setUp(file, way))
  })
  afterAll(() => Promise.all(victims.map((each) => each.close())))

  test('that one node tells is refused, or changes nothing, or adds no payment that another node confirms', async () => {
    for (const name of solanaLieNames) {
      for (const { node, truth, way, one, both } of victims) {
        let told = false
        node.tamper = (method, result) => {
          const lie = method === 'getBlock' ? solanaLies[name](result as ReportedBlock) : null
          told ||= lie !== null
          return lie ?? result
        }
        const { fate, told: block } = await fateOf(truth, () => read(one, node.slot, way))
        if (!told) continue
        note(fates, name, way.name, fate)
        if (fate === 'believed' && block) await expectDisagreement(both, truth, block)
      }
    }
    printFates('solana', names, fates)
    expectAllTold(fates, solanaLieNames)
  }, 60_000)

  test('is believed of one node only where docs/chains.md says so', () => {
    expect(believedOf(names, fates)).toEqual(believedByDocs('solana'))
  })
})
