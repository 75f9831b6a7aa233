import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Block, type BlockReader, ProviderError } from '../../../src/chains/chain.ts'
import { full } from '../../support/full.ts'
import { startRecordedSolana } from '../../support/recordedSolana.ts'
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
import { type ServedBlock, solanaForgeries, solanaForgeryNames } from './solanaForgeries.ts'

// A node serves recorded slots with false content under their known hashes.

const files = ['block-254170887.json', 'block_new_token_account.json', 'block_with_versioned_tx.json']

interface Way {
  name: string
  encoding: 'json' | 'base64'
  light: boolean
  /** As the newest blocks are read: what was touched, then the rest from the same answer. */
  atHead?: boolean
  /** False: all answers are parsed. */
  readBytes?: boolean
}

const ways: Way[] = [
  { name: 'whole blocks', encoding: 'json', light: false },
  { name: 'whole blocks', encoding: 'json', light: false, atHead: true },
  // Nodes may answer with bytes instead of JSON; balances are the same.
  ...(full ? [{ name: 'whole blocks', encoding: 'base64', light: false } as const] : []),
  { name: 'accounts and balances', encoding: 'json', light: true },
  ...(full
    ? [{ name: 'accounts and balances', encoding: 'json', light: true, readBytes: false } as const]
    : []),
]

const names = [...new Set(ways.map(({ name }) => name))]

/** As findPayments reads a block with a watched address. */
async function newest(reader: BlockReader, slot: number): Promise<Block | null> {
  const block = (await reader.atHead?.(slot)) ?? null
  try {
    return block?.whole?.() ?? block
  } catch (error) {
    if (error instanceof ProviderError) return reader.block(slot)
    throw error
  }
}

const read = async (reader: BlockReader, slot: number, { light, atHead = false }: Way): Promise<Block> => {
  const block = light
    ? (await reader.blocks(slot, slot))[0]
    : await (atHead ? newest(reader, slot) : reader.block(slot))
  if (!block) throw new Error(`slot ${slot} not found`)
  return block
}

/** A node that may be false, an honest one, and readers of the first and of both. */
async function openVictim(file: string, way: Way) {
  const [node, honest] = await Promise.all([
    startRecordedSolana(file, way.encoding),
    startRecordedSolana(file, way.encoding),
  ])
  const open = (urls: string) => openReader('solana', urls, undefined, way.readBytes)
  const [one, both] = await Promise.all([open(node.url), open(`${node.url},${honest.url}`)])
  const truth = await read(one.reader, node.slot, way)
  return {
    node,
    truth,
    way,
    one: one.reader,
    both: both.reader,
    close: () => Promise.all([node, honest, one, both].map((each) => each.close())),
  }
}

type Victim = Awaited<ReturnType<typeof openVictim>>

describe('a false answer about a recorded slot', () => {
  const victims: Victim[] = []
  const fates: Fates = new Map()
  beforeAll(async () => {
    for (const way of ways) for (const file of files) victims.push(await openVictim(file, way))
  })
  afterAll(() => Promise.all(victims.map((each) => each.close())))

  test('by one node is refused, or has no effect, or adds no payment that another node confirms', async () => {
    for (const name of solanaForgeryNames) {
      for (const { node, truth, way, one, both } of victims) {
        let lied = false
        node.tamper = (method, result) => {
          const lie = method === 'getBlock' ? solanaForgeries[name](result as ServedBlock) : null
          lied ||= lie !== null
          return lie ?? result
        }
        const { fate, block } = await fateOf(truth, () => read(one, node.slot, way))
        if (!lied) continue
        note(fates, name, way.name, fate)
        if (fate === 'believed' && block) await expectDisagreement(both, truth, block)
      }
    }
    printFates('solana', names, fates)
    expectAllTried(fates, solanaForgeryNames)
  })

  test('one node is trusted only where docs/chains.md lists it', () => {
    expect(trustedOf(names, fates)).toEqual(trustedByDocs('solana'))
  })
})
