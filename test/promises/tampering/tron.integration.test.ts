import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Block, BlockReader } from '../../../src/chains/chain.ts'
import type { TronTransactionInfo } from '../../../src/chains/tron/rpcTypes.ts'
import {
  startRecordedTron,
  type TronRecording,
  tronTokenBlock,
  wholeTronBlock,
} from '../../support/recordedTron.ts'
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
import { type ServedBlock, type TronForgery, tronForgeries, tronForgeryNames } from './tronForgeries.ts'

// A node serves recorded blocks with false content under their known ids. Tron has one way of reading:
// blocks and outcomes.

const way = 'blocks and outcomes'
const blockPath = '/wallet/getblockbynum'
const infosPath = '/wallet/gettransactioninfobyblocknum'

const read = async (reader: BlockReader, height: number): Promise<Block> => {
  const block = await reader.block(height)
  if (!block) throw new Error(`block ${height} not found`)
  return block
}

/** A node that may be false, an honest one, and readers of the first and of both. */
async function openVictim(recording: TronRecording) {
  // No recorded transaction failed, so one is marked as failed.
  const options = {
    withLogs: true,
    withInternals: true,
    failed: (txId: string) => txId === recording.transactions?.at(-1)?.txID,
  }
  const [node, honest] = await Promise.all([
    startRecordedTron([recording], options),
    startRecordedTron([recording], options),
  ])
  const [one, both] = await Promise.all([
    openReader('tron', node.url),
    openReader('tron', `${node.url},${honest.url}`),
  ])
  const height = recording.block_header.raw_data.number
  const answers = new Map<string, unknown>()
  node.tamper = (path, answer) => {
    answers.set(path, answer)
    return answer
  }
  const truth = await read(one.reader, height)
  const served: ServedBlock = {
    block: answers.get(blockPath) as TronRecording,
    infos: answers.get(infosPath) as TronTransactionInfo[],
  }
  const close = () => Promise.all([node, honest, one, both].map((each) => each.close()))
  return { node, height, served, truth, one: one.reader, both: both.reader, close }
}

type Victim = Awaited<ReturnType<typeof openVictim>>

function applyLie({ node, served }: Victim, name: TronForgery): boolean {
  const lie = tronForgeries[name](served)
  node.tamper =
    lie &&
    ((path, answer) => {
      if (path === blockPath) return lie.block
      return path === infosPath ? lie.infos : answer
    })
  return lie !== null
}

describe('a false answer about a recorded block', () => {
  const victims: Victim[] = []
  const fates: Fates = new Map()
  beforeAll(async () => {
    for (const recording of [wholeTronBlock(), tronTokenBlock()]) victims.push(await openVictim(recording))
  })
  afterAll(() => Promise.all(victims.map((each) => each.close())))

  test('by one node is refused, or has no effect, or adds no payment that another node confirms', async () => {
    for (const name of tronForgeryNames) {
      for (const victim of victims) {
        if (!applyLie(victim, name)) continue
        const { fate, block } = await fateOf(victim.truth, () => read(victim.one, victim.height))
        note(fates, name, way, fate)
        if (fate === 'believed' && block) await expectDisagreement(victim.both, victim.truth, block)
      }
    }
    printFates('tron', [way], fates)
    expectAllTried(fates, tronForgeryNames)
  })

  test('one node is trusted only where docs/chains.md lists it', () => {
    expect(trustedOf([way], fates)).toEqual(trustedByDocs('tron'))
  })
})
