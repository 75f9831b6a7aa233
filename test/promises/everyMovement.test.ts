import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { matchBlock } from '../../indexers/findPayments.ts'
import { createWatchTable } from '../../indexers/watchTable.ts'
import { type Block, type BlockReader, ProviderError, type Transfer } from '../../src/chains/chain.ts'
import { addressCodec, connectChain } from '../../src/chains/family.ts'
import { configuredChains } from '../../src/chains/registry.ts'
import { createLog } from '../../src/platform/log.ts'
import { howMany } from '../support/full.ts'
import { type NodeBlock, type NodeReceipt, type RecordedChain, recordedChains, recordedHeights, startRecordedNode } from '../support/recordedNode.ts'
import { haveFixtures } from '../support/shared.ts'
import { type Counted, countMovements, internalByLogs } from './counting/countMovements.ts'
import { countsOf, kinds, linesOf, type Movement } from './counting/movement.ts'
import { rawBlock } from './counting/rawBlock.ts'
import { blockLieNames, blockLies, type Choose, type ReceiptLie, receiptLieNames, receiptLies } from './tampering.ts'

// Blocks of mainnet, as nodes answered them, are served by a node of our own and read by our reader through its public face.
// What it finds is compared with what test/promises/counting finds in the same files, movement by movement.

const whenRecorded = haveFixtures ? describe : describe.skip

interface Recorded {
  chain: RecordedChain
  height: number
  name: string
}

const recorded: Recorded[] = recordedChains.flatMap((chain) =>
  recordedHeights(chain).map((height) => ({ chain, height, name: `${chain} ${height}` })),
)

interface Way {
  name: string
  /** Methods that the node does not have. */
  without: readonly string[]
  /** Read as blocks far below the head are. */
  light: boolean
  /** What the logs must have been asked by, or something else was tested. */
  asks: 'eth_getBlockReceipts' | 'eth_getLogs'
}

const byReceipts: Way = { name: 'receipts', without: [], light: false, asks: 'eth_getBlockReceipts' }
const byHash: Way = { name: 'logs by hash', without: ['eth_getBlockReceipts'], light: false, asks: 'eth_getLogs' }
const byLight: Way = { name: 'receipts without transactions', without: [], light: true, asks: 'eth_getBlockReceipts' }
const ways = [byReceipts, byHash, byLight]

const tracing = ['debug_traceBlockByHash', 'debug_traceBlockByNumber', 'debug_traceTransaction']

const log = createLog('test', 'silent')
const observe = { called: () => {}, refused: () => {} }

/** A recorded block, served alone, and our reader connected to its node. */
async function open({ chain, height }: Recorded, way: Way, traces: boolean) {
  const node = await startRecordedNode(chain, [height])
  for (const method of [...way.without, ...(traces ? [] : tracing)]) node.without.add(method)
  const { chains, mistakes } = configuredChains({ [`${chain.toUpperCase()}_RPC_URLS`]: node.url })
  const [configured] = chains
  if (!configured || mistakes.length > 0) throw new Error(`${chain} is no chain of ours: ${mistakes}`)
  const connection = connectChain(configured, { timeoutMs: 10_000, observe, log })
  const close = async () => {
    await connection.close()
    await node.close()
  }
  await connection.reader.verify()
  node.calls.clear()
  return { node, reader: connection.reader, close }
}

/** The block as the indexer has it in the end: what was open about native transfers is settled. */
async function read(reader: BlockReader, height: number, way: Way): Promise<Block> {
  const block = await reader.block(height)
  if (!block) throw new Error(`there is no block ${height}`)
  if (way.light) await expectLight(reader, block)
  const open = block.transfers.filter((transfer) => transfer.unproven)
  if (open.length === 0) return block
  const succeeded = await reader.succeeded(
    block,
    open.map(({ txId }) => txId),
  )
  return { ...block, transfers: block.transfers.filter(({ unproven, txId }) => !unproven || succeeded.has(txId)) }
}

/** Without its transactions a block tells the same of tokens, and everybody who received the native coin: who then reads it whole. */
async function expectLight(reader: BlockReader, whole: Block): Promise<void> {
  const [light] = await reader.blocks(whole.height, whole.height)
  const tokens = whole.transfers.filter(({ contract }) => contract !== null)
  expect(linesOf((light?.transfers ?? []).map(movementOf))).toEqual(linesOf(tokens.map(movementOf)))
  const unread = new Set(light?.unread)
  const inReceipts = whole.transfers.filter(({ contract, movementKey }) => contract === null && !movementKey.startsWith('trace:'))
  expect(inReceipts.filter(({ to }) => !unread.has(to))).toEqual([])
}

async function internalOf(reader: BlockReader, block: Block): Promise<Transfer[]> {
  const later = await reader.internal(block.height)
  expect(later.id).toBe(block.id)
  return later.transfers
}

const movementOf = ({ txId, movementKey, contract, from, to, amount }: Transfer): Movement => ({
  kind: contract !== null ? 'erc20' : movementKey === 'native' ? 'native' : 'internal',
  txHash: txId,
  from,
  to,
  contract,
  amount,
})

const allOf = ({ erc20, native, internal }: Counted) => [...erc20, ...native, ...(internal ?? [])]

const counts = new Map<string, Counted>()

beforeAll(() => {
  for (const { chain, height, name } of recorded) counts.set(name, countMovements(rawBlock(chain, height)))
})

function countedIn({ name }: Recorded): Counted {
  const counted = counts.get(name)
  if (!counted) throw new Error(`nothing was counted in ${name}`)
  return counted
}

/** For whoever reads the run. */
const table: string[][] = []
const sums: string[][] = []
const print = (rows: readonly string[][]) => {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), [])
  process.stdout.write(`\n${rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')).join('\n')}\n`)
}

whenRecorded('every movement of a recorded block is found, as often as it was counted elsewhere', () => {
  afterAll(() => {
    const rows = table.toSorted((a, b) => recorded.findIndex(({ name }) => name === a[0]) - recorded.findIndex(({ name }) => name === b[0]))
    print([['found, and counted elsewhere', 'read by', 'traces', 'ERC-20', 'native', 'internal'], ...rows, ...sums])
  })

  test.each(ways.flatMap((way) => [true, false].map((traces) => ({ way, traces, name: `${way.name}, ${traces ? 'with' : 'without'} traces` }))))(
    'by $name',
    async ({ way, traces }) => {
      const totals = { erc20: 0, native: 0, internal: 0 }
      for (const each of recorded) {
        const { node, reader, close } = await open(each, way, traces)
        try {
          const block = await read(reader, each.height, way)
          const raw = rawBlock(each.chain, each.height)
          const byEvents = internalByLogs(raw) !== null
          const told = byEvents || (traces && raw.frames !== null)
          const internal = told && !block.traced ? await internalOf(reader, block) : []
          const movements = [...block.transfers, ...internal].map(movementOf)
          const counted = allOf(countedIn(each)).filter(({ kind }) => told || kind !== 'internal')
          expect({ block: each.name, movements: linesOf(movements) }).toEqual({ block: each.name, movements: linesOf(counted) })
          // Each has a name of its own in its transaction.
          const names = [...block.transfers, ...internal].map(({ txId, movementKey }) => `${txId} ${movementKey}`)
          expect(new Set(names).size).toBe(names.length)
          if (!told) {
            expect(reader.internalMethod).toMatch(/^(balances|none)$/)
            await expect(reader.internal(each.height)).rejects.toBeInstanceOf(ProviderError)
          }
          // It was read in the way that is told of here.
          expect([...node.calls.keys()].filter((method) => /Receipts$|getLogs$/.test(method))).toEqual([way.asks])
          const found = countsOf(movements)
          for (const kind of kinds) totals[kind] += found[kind]
          table.push([each.name, way.name, traces ? 'yes' : 'no', `${found.erc20}`, `${found.native}`, told ? `${found.internal}` : 'not asked'])
        } finally {
          await close()
        }
      }
      sums.push(['all', way.name, traces ? 'yes' : 'no', ...kinds.map((kind) => `${totals[kind]}`)])
      for (const kind of kinds) expect({ kind, some: totals[kind] > 0 }).toEqual({ kind, some: true })
    },
  )
})

whenRecorded('nothing is detected that did not happen', () => {
  const codec = addressCodec('evm')
  const watching = (addresses: Iterable<string>) => {
    const watches = createWatchTable(20)
    for (const address of addresses) watches.add(codec.bytes(address))
    return watches
  }
  const detected = (block: Block, watches: ReturnType<typeof watching>) => linesOf(matchBlock(block, watches, codec).map(movementOf))

  // Not `test.each`: it refuses an empty list, and where nothing was recorded this is skipped.
  for (const each of recorded)
    test(`in ${each.name}`, async () => {
      const { reader, close } = await open(each, byReceipts, true)
      try {
        const block = await read(reader, each.height, byReceipts)
        const counted = allOf(countedIn(each))
        const recipients = new Set(counted.map(({ to }) => to))

        // Nobody's addresses; those that only sent; those that are next to a recipient's.
        const strangers = watching(Array.from({ length: 100_000 }, () => `0x${randomBytes(20).toString('hex')}`))
        expect(strangers.size).toBe(100_000)
        expect(detected(block, strangers)).toEqual([])
        expect(detected(block, watching(counted.map(({ from }) => from).filter((from) => !recipients.has(from))))).toEqual([])
        const neighbours = [...recipients].map((to) => to.slice(0, -1) + (to.endsWith('0') ? '1' : '0')).filter((address) => !recipients.has(address))
        expect(detected(block, watching(neighbours))).toEqual([])

        expect(detected(block, watching(recipients))).toEqual(linesOf(counted))
        for (const recipient of recipients) {
          expect(detected(block, watching([recipient]))).toEqual(linesOf(counted.filter(({ to }) => to === recipient)))
        }
      } finally {
        await close()
      }
    })
})

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

whenRecorded('an answer that was tampered with', () => {
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
      { numRuns: howMany(200, 3000) },
    )
    expect([...tried.keys()].sort()).toEqual([...receiptLieNames].sort())
    print([['read by receipts, and refused every time', 'lies'], ...receiptLieNames.map((name) => [name, `${tried.get(name)}`])])
  }, 120_000)

  // Logs alone prove less than receipts: there is the block's bloom, which knows nothing of amounts, and the logs' numbers.
  // So it is with receipts whose root cannot be made: those of OP's, Arbitrum's and Polygon's own transactions.
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

  test('about transactions is refused if one is left out; what they carry is listed', async () => {
    const rows: string[][] = []
    for (const name of blockLieNames) {
      const fates = noFates()
      for (const each of victims.get(byReceipts) ?? []) {
        const tamper = (method: string, result: unknown) =>
          method === 'eth_getBlockByNumber' ? (blockLies[name](result as NodeBlock, choosing([3, 5, 7])) ?? result) : result
        fates[await fateOf(each, tamper)]++
      }
      if (name === 'a transaction is left out') expect(fates.believed).toBe(0)
      rows.push([name, ...rowOf(fates)])
    }
    print([['read by receipts', 'refused', 'right', 'believed'], ...rows])
  })
})
