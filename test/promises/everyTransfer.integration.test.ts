import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { matchBlock } from '../../indexers/findPayments.ts'
import { createWatchTable } from '../../indexers/watchTable.ts'
import { type Block, type BlockReader, ProviderError, type Transfer } from '../../src/chains/chain.ts'
import { addressCodec } from '../../src/chains/codecs.ts'
import { countsOf, kinds, linesOf } from './counting/countedTransfer.ts'
import { type Counted, countTransfers, internalByLogs } from './counting/countTransfers.ts'
import { rawBlock } from './counting/rawBlock.ts'
import { asCounted, byReceipts, open, print, type Recorded, read, recorded, ways } from './readRecorded.ts'

// Compares our reader's transfers in mainnet's blocks with those that test/promises/counting finds in the
// same files, one by one.

async function internalOf(reader: Pick<BlockReader, 'internal'>, block: Block): Promise<Transfer[]> {
  const later = await reader.internal?.(block.height)
  if (!later) throw new Error('the EVM reader has no internal transfers')
  expect(later.id).toBe(block.id)
  return later.transfers
}

const allOf = ({ erc20, native, internal, withdrawals }: Counted) => [
  ...erc20,
  ...native,
  ...(internal ?? []),
  ...withdrawals,
]

const counts = new Map<string, Counted>()

beforeAll(() => {
  for (const { chain, height, name } of recorded) counts.set(name, countTransfers(rawBlock(chain, height)))
})

function countedIn({ name }: Recorded): Counted {
  const counted = counts.get(name)
  if (!counted) throw new Error(`no count of ${name}`)
  return counted
}

/** Printed after the run. */
const table: string[][] = []
const sums: string[][] = []

describe('every transfer of a recorded block is found, as often as in the independent count', () => {
  afterAll(() => {
    const rows = table.toSorted(
      (a, b) =>
        recorded.findIndex(({ name }) => name === a[0]) - recorded.findIndex(({ name }) => name === b[0]),
    )
    print([
      [
        'found, and counted independently',
        'read by',
        'traces',
        'ERC-20',
        'native',
        'withdrawals',
        'internal',
      ],
      ...rows,
      ...sums,
    ])
  })

  test.each(
    ways.flatMap((way) =>
      [true, false].map((traces) => ({
        way,
        traces,
        name: `${way.name}, ${traces ? 'with' : 'without'} traces`,
      })),
    ),
  )('by $name', async ({ way, traces }) => {
    const totals = countsOf([])
    for (const each of recorded) {
      const { node, reader, close } = await open(each, way, traces)
      try {
        const block = await read(reader, each.height, way)
        const raw = rawBlock(each.chain, each.height)
        const byEvents = internalByLogs(raw) !== null
        const withInternal = byEvents || (traces && raw.frames !== null)
        const internal = withInternal && !block.traced ? await internalOf(reader, block) : []
        const readTransfers = [...block.transfers, ...internal].map(asCounted)
        const counted = allOf(countedIn(each)).filter(({ kind }) => withInternal || kind !== 'internal')
        expect({ block: each.name, transfers: linesOf(readTransfers) }).toEqual({
          block: each.name,
          transfers: linesOf(counted),
        })
        // Each has a unique name in its transaction.
        const names = [...block.transfers, ...internal].map(
          ({ txId, movementKey }) => `${txId} ${movementKey}`,
        )
        expect(new Set(names).size).toBe(names.length)
        if (!withInternal) {
          expect(reader.internalMethod).toMatch(/^(balances|none)$/)
          await expect(reader.internal?.(each.height)).rejects.toBeInstanceOf(ProviderError)
        }
        // The block was read in the expected way.
        expect([...node.calls.keys()].filter((method) => /Receipts$|getLogs$/.test(method))).toEqual([
          way.asks,
        ])
        const found = countsOf(readTransfers)
        for (const kind of kinds) totals[kind] += found[kind]
        const shown = [
          found.erc20,
          found.native,
          found.withdrawal,
          withInternal ? found.internal : 'not asked',
        ]
        table.push([each.name, way.name, traces ? 'yes' : 'no', ...shown.map(String)])
      } finally {
        await close()
      }
    }
    const { erc20, native, withdrawal, internal } = totals
    sums.push(['all', way.name, traces ? 'yes' : 'no', ...[erc20, native, withdrawal, internal].map(String)])
    for (const kind of kinds) expect({ kind, some: totals[kind] > 0 }).toEqual({ kind, some: true })
  })
})

describe('nothing is detected that did not happen', () => {
  const codec = addressCodec('evm')
  const watching = (addresses: Iterable<string>) => {
    const watches = createWatchTable(20)
    for (const address of addresses) watches.add(codec.bytes(address))
    return watches
  }
  const detected = (block: Block, watches: ReturnType<typeof watching>) =>
    linesOf(matchBlock(block, watches, codec).map(asCounted))

  test.each(recorded)('in $name', async (each) => {
    const { reader, close } = await open(each, byReceipts, true)
    try {
      const block = await read(reader, each.height, byReceipts)
      const counted = allOf(countedIn(each))
      const recipients = new Set(counted.map(({ to }) => to))

      // Random addresses; addresses that only sent; addresses next to a recipient's.
      const unrelated = watching(
        Array.from({ length: 100_000 }, () => `0x${randomBytes(20).toString('hex')}`),
      )
      expect(unrelated.size).toBe(100_000)
      expect(detected(block, unrelated)).toEqual([])
      expect(
        detected(block, watching(counted.map(({ from }) => from).filter((from) => !recipients.has(from)))),
      ).toEqual([])
      const neighbours = [...recipients]
        .map((to) => to.slice(0, -1) + (to.endsWith('0') ? '1' : '0'))
        .filter((address) => !recipients.has(address))
      expect(detected(block, watching(neighbours))).toEqual([])

      expect(detected(block, watching(recipients))).toEqual(linesOf(counted))
      for (const recipient of recipients) {
        expect(detected(block, watching([recipient]))).toEqual(
          linesOf(counted.filter(({ to }) => to === recipient)),
        )
      }
    } finally {
      await close()
    }
  })
})
