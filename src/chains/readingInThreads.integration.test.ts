import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { startRecordedNode } from '../../test/support/recordedNode.ts'
import { startRecordedSolana } from '../../test/support/recordedSolana.ts'
import { type ComputeThreads, createComputeThreads } from '../platform/computeThreads.ts'
import { createLog } from '../platform/telemetry/log.ts'
import type { Block } from './chain.ts'
import { configuredChains } from './configuration.ts'
import { connectChain } from './connect.ts'

let threads: ComputeThreads
let read = { here: 0, all: 0 }
const failures: string[] = []
beforeEach(() => {
  const real = createComputeThreads({ count: 1, failed: (why) => void failures.push(why) })
  read = { here: 0, all: 0 }
  threads = {
    close: () => real.close(),
    run(computation, bytes, ...args) {
      read.all++
      const compute = (...of: Parameters<typeof computation.compute>) => {
        read.here++
        return computation.compute(...of)
      }
      return real.run({ ...computation, compute }, bytes, ...args)
    },
  }
})
afterEach(() => threads.close())

const atOnce = 20

/** Reads one light block many times, until some were read in a thread. */
async function readMany(chain: string, url: string, height: number, withThreads: boolean): Promise<Block[]> {
  const [configured] = configuredChains({ [`${chain}_RPC_URLS`]: url }).chains
  if (!configured) throw new Error(`${chain} is not configured`)
  const observe = {
    called: () => {},
    refused: () => {},
    notUnderstood: () => void failures.push('not understood'),
  }
  const options = { timeoutMs: 60_000, observe, log: createLog('test', 'silent') }
  const { reader, close } = await connectChain(configured, withThreads ? { ...options, threads } : options)
  try {
    for (let tries = 0; tries < 50; tries++) {
      const blocks = (
        await Promise.all(Array.from({ length: atOnce }, () => reader.blocks(height, height)))
      ).flat()
      if (!withThreads || read.all - read.here > 10) return blocks
    }
    throw new Error('no thread takes part')
  } finally {
    await close()
  }
}

/** All that the indexer reads of it; `packed` is what these are made of. */
const contentsOf = ({ packed, ...block }: Block) => ({ ...block, isPacked: packed !== undefined })

test.each<[string, number]>([
  ['ethereum', 18_000_000],
  ['polygon', 50_000_000],
])('blocks of %s are the same as without threads, and in batches', async (chain, height) => {
  const node = await startRecordedNode(chain as 'ethereum', [height])
  // Far away: so many blocks at once are read in batches.
  node.latencyMs = 25
  try {
    const [expected] = await readMany(chain.toUpperCase(), node.url, height, false)
    for (const block of await readMany(chain.toUpperCase(), node.url, height, true))
      expect(contentsOf(block)).toEqual(contentsOf(expected as Block))
    expect(expected?.transfers.length).toBeGreaterThan(10)
    expect(node.batches).toBeGreaterThan(0)
    expect(failures).toEqual([])
  } finally {
    await node.close()
  }
})

test('blocks of solana are the same as without threads', async () => {
  const node = await startRecordedSolana('block-254170887.json')
  try {
    const [expected] = await readMany('SOLANA', node.url, node.slot, false)
    for (const block of await readMany('SOLANA', node.url, node.slot, true))
      expect(contentsOf(block)).toEqual(contentsOf(expected as Block))
    expect(expected?.unread?.length).toBeGreaterThan(10)
    expect(failures).toEqual([])
  } finally {
    await node.close()
  }
})
