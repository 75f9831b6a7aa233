import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ProviderError } from '../../src/chains/chain.ts'
import { howMany } from '../support/full.ts'
import type { NodeBlock, NodeReceipt } from '../support/recordedNode.ts'
import { linesOf } from './counting/movement.ts'
import { byHash, byLight, byReceipts, movementOf, open, print, type Recorded, read, recorded, type Way, ways } from './readRecorded.ts'
import { blockLieNames, blockLies, type Choose, type ReceiptLie, receiptLieNames, receiptLies } from './tampering.ts'

// The node that serves blocks of mainnet lies about them.

/** The same choices again for the same seed; fast-check makes the seeds. */
const choosing = (choices: readonly number[]): Choose => {
  let next = 0
  return (count) => (count === 0 ? 0 : (choices[next++ % choices.length] as number) % count)
}

type Opened = Awaited<ReturnType<typeof open>>

/** What became of a lie: it was refused; the block was read right all the same; or it was believed. */
type Fate = 'refused' | 'right' | 'believed'
const noFates = (): Record<Fate, number> => ({ refused: 0, right: 0, believed: 0 })
const rowOf = (fates: Record<Fate, number>) => [fates.refused, fates.right, fates.believed].map(String)

/** A block to lie about. */
interface Victim extends Opened {
  height: number
  way: Way
  receipts: NodeReceipt[]
  /** What is read while nobody lies. */
  lines: string[]
  /** Whether the receipts' root can be made from their JSON: all types are Ethereum's own, and none is Polygon's state sync. */
  provable: boolean
}

async function victim(each: Recorded, way: Way): Promise<Victim> {
  const opened = await open(each, way, false)
  const { node, reader } = opened
  const at = `0x${each.height.toString(16)}`
  const ask = async (method: string, params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(node.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return ((await response.json()) as { result: unknown }).result
  }
  const without = [...node.without]
  node.without.clear()
  const receipts = (await ask('eth_getBlockReceipts', [at])) as NodeReceipt[]
  const { transactions } = (await ask('eth_getBlockByNumber', [at, true])) as NodeBlock
  for (const method of without) node.without.add(method)
  const { transfers } = await read(reader, each.height, way)
  const provable = transactions.every(({ type = '0x0', from, to }) => Number(type) <= 4 && (Number(from) > 0 || to === null || Number(to) > 0))
  return { ...opened, height: each.height, way, receipts, lines: linesOf(transfers.map(movementOf)), provable }
}

async function fateOf({ node, reader, height, way, lines }: Victim, tamper: typeof node.tamper): Promise<Fate> {
  node.tamper = tamper
  try {
    const block = await read(reader, height, way)
    return linesOf(block.transfers.map(movementOf)).join() === lines.join() ? 'right' : 'believed'
  } catch (error) {
    // A provider's failure, so that another one is asked; anything else would stop the indexer.
    expect(error).toBeInstanceOf(ProviderError)
    return 'refused'
  } finally {
    node.tamper = null
  }
}

/** Changed receipts, or their logs, in place of the true ones; receipts of single transactions stay true. */
const answering = (receipts: readonly NodeReceipt[], asked: Way['asks']) => (method: string, result: unknown) => {
  if (method !== asked) return result
  return method === 'eth_getLogs' ? receipts.flatMap(({ logs }) => logs) : receipts
}

/** Whether a lie shows without any proof: the logs' numbers have a gap or are out of order, or there are none left. */
const showsInNumbers = (lie: readonly NodeReceipt[]) => {
  const numbers = lie.flatMap(({ logs }) => logs.map(({ logIndex }) => Number(logIndex)))
  return numbers.length === 0 || numbers.some((number, index) => number !== index)
}

describe('an answer that was tampered with', () => {
  const victims = new Map<Way, Victim[]>()
  beforeAll(async () => {
    for (const way of ways) victims.set(way, await Promise.all(recorded.map((each) => victim(each, way))))
  })
  afterAll(() => Promise.all([...victims.values()].flat().map((each) => each.close())))

  test('is refused where receipts are read: they must give the root that the block commits to', async () => {
    const provable = (victims.get(byReceipts) ?? []).filter((each) => each.provable)
    expect(provable.length).toBeGreaterThan(0)
    const tried = new Map<ReceiptLie, number>()
    const choices = fc.array(fc.nat(), { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...provable), fc.constantFrom(...receiptLieNames), choices, async (each, name, numbers) => {
        const lie = receiptLies[name](each.receipts, choosing(numbers))
        if (!lie) return
        tried.set(name, (tried.get(name) ?? 0) + 1)
        expect(await fateOf(each, answering(lie, 'eth_getBlockReceipts'))).toBe('refused')
      }),
      { numRuns: howMany(120, 3000) },
    )
    expect([...tried.keys()].sort()).toEqual([...receiptLieNames].sort())
    print([['read by receipts, and refused every time', 'lies'], ...receiptLieNames.map((name) => [name, `${tried.get(name)}`])])
  }, 120_000)

  // Logs alone prove less than receipts: there is the block's bloom, which knows nothing of amounts, and the logs' numbers.
  // So it is with receipts whose root cannot be made: those of Polygon's own transactions.
  test.each([byHash, byLight, byReceipts])(
    'where no root can be made ($name) is refused if it shows in the numbers of the logs; the rest is listed',
    async (way) => {
      const rows: string[][] = []
      const unproven = (victims.get(way) ?? []).filter(({ provable }) => way === byHash || !provable)
      for (const name of receiptLieNames) {
        const fates = noFates()
        for (const each of unproven) {
          for (let round = 0; round < howMany(2, 20); round++) {
            const lie = receiptLies[name](each.receipts, choosing([7919 * (round + 1), 104_729 * (round + 3), 31 * round]))
            if (!lie) continue
            // Only what is asked for the logs is a lie.
            const fate = await fateOf(each, answering(lie, way.asks))
            if (showsInNumbers(lie)) expect({ name, fate }).not.toEqual({ name, fate: 'believed' })
            fates[fate]++
          }
        }
        rows.push([name, ...rowOf(fates)])
      }
      if (unproven.length > 0) print([[`read by ${way.name}, without a root`, 'refused', 'right', 'believed'], ...rows])
    },
    120_000,
  )

  test('about transactions is refused by every way of reading them: they must give the root that the block commits to', async () => {
    for (const name of blockLieNames) {
      for (const each of [byReceipts, byHash].flatMap((way) => victims.get(way) ?? [])) {
        const tamper = (method: string, result: unknown) =>
          method === 'eth_getBlockByNumber' ? (blockLies[name](result as NodeBlock, choosing([3, 5, 7])) ?? result) : result
        expect({ name, fate: await fateOf(each, tamper) }).toEqual({ name, fate: 'refused' })
      }
    }
  })
})
