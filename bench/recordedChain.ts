import type { RpcLog as ViemLog } from 'viem'
import { configuredChains } from '../src/chains/configuration.ts'
import { bloomOf } from '../src/chains/evm/bloom.ts'
import { headerHash } from '../src/chains/evm/headerHash.ts'
import { receiptsRoot } from '../src/chains/evm/receiptsRoot.ts'
import { assetsOf, type ConfiguredChain } from '../src/chains/registry.ts'
import { type Recorded, recordedBlock } from '../test/support/recordedBlocks.ts'
import { recordedTraces } from '../test/support/recordedTraces.ts'
import { cast, type Mould, mouldOf } from './mould.ts'
import { madeUpAddress } from './watchedDatabase.ts'

/** Chains that are served out of blocks of mainnet, in turn, at heights of our own and with the hashes that follow. */
export const replayedChains = {
  ethereum: { blocks: ['18000000', '15753009'], chainId: '0x1', blockSeconds: 12, finalizedBehind: 64 },
  polygon: { blocks: ['50000000', '38102393'], chainId: '0x89', blockSeconds: 2, finalizedBehind: 0 },
} as const
/** Of the EVM family. */
export type ReplayedEvmChain = keyof typeof replayedChains
export type ReplayedChain = ReplayedEvmChain | 'solana'

/** Heights from here on have seven hexadecimal digits for a long time: an answer's length does not depend on the height. */
export const firstHeight = 30_000_000

/** Of so many blocks one pays watched addresses, this many times. */
export interface Paying {
  outOf: number
  payments: number
}

/** What a node answers about a chain, in the bytes of each result. */
export interface RecordedChain {
  /** With the hashes of its transactions. */
  header(height: number, paying: Paying): Buffer
  block(height: number, paying: Paying): Buffer
  receipts(height: number, paying: Paying): Buffer
  /** Of a block that was given before. */
  traces(hash: string): Buffer
}

/** How many payments the block at a height holds. Each of the recorded blocks has its turn in paying, too. */
export const paymentsAt = (height: number, { outOf, payments }: Paying): number =>
  height % outOf === (outOf % 2 === 0 ? Math.floor(height / outOf) % 2 : 0) ? payments : 0

const holes = { hash: `0x${'h'.repeat(64)}`, parentHash: `0x${'p'.repeat(64)}`, number: `0x${'n'.repeat(7)}`, timestamp: `0x${'t'.repeat(8)}` }
type EvmMould = Mould<keyof typeof holes>
const mouldOfText = (text: string): EvmMould => mouldOf(holes, text)

const genesisTime = 1_700_000_000
/** Some are asked for from before the first that is read: what is finalized. */
const lowestHeight = firstHeight - 1000

/** The chain as an operator configures it. */
export function configuredChain(name: ReplayedChain): ConfiguredChain {
  const [chain] = configuredChains({ [`${name.toUpperCase()}_RPC_URLS`]: 'http://127.0.0.1:1' }).chains
  if (!chain) throw new Error(`${name} is not configured`)
  return chain
}

export function recordedChain(name: ReplayedEvmChain): RecordedChain {
  const { blocks, blockSeconds } = replayedChains[name]
  const contracts = new Set(assetsOf(configuredChain(name)).map(({ contract }) => contract))
  const recorded = blocks.map((block) => recordedBlock(`${name}/${block}`))
  const moulds = new Map<string, ReturnType<typeof mouldsOf>>()
  const traceMoulds = new Map<number, EvmMould>()

  /** The moulds of the block at a height. */
  const mouldsAt = (height: number, paying: Paying) => {
    const turn = height % recorded.length
    const payments = paymentsAt(height, paying)
    const key = `${turn} ${payments}`
    const known = moulds.get(key) ?? mouldsOf(withPayments(recorded[turn] as Recorded, contracts, payments, 1 + 100 * turn))
    moulds.set(key, known)
    return known
  }

  /** Each is the next one's parent, and stays as it was made. */
  const made: { moulds: ReturnType<typeof mouldsOf>; values: Record<keyof typeof holes, string> }[] = []
  const heights = new Map<string, number>()
  function blockAt(height: number, paying: Paying) {
    for (let next = lowestHeight + made.length; next <= height; next++) {
      const its = mouldsAt(next, paying)
      const place = {
        parentHash: made.at(-1)?.values.hash ?? `0x${'0'.repeat(64)}`,
        number: `0x${next.toString(16)}`,
        timestamp: `0x${(genesisTime + (next - firstHeight) * blockSeconds).toString(16)}`,
      }
      const hash = headerHash({ ...its.fields, ...place }) as string
      made.push({ moulds: its, values: { ...place, hash } })
      heights.set(hash, next)
    }
    return made[height - lowestHeight] as (typeof made)[number]
  }
  const castAt = (kind: 'header' | 'block' | 'receipts') => (height: number, paying: Paying) => {
    const { moulds: its, values } = blockAt(height, paying)
    return cast(holes, its[kind], values)
  }

  return {
    header: castAt('header'),
    block: castAt('block'),
    receipts: castAt('receipts'),
    traces(hash) {
      const height = heights.get(hash) as number
      const turn = height % recorded.length
      const known = traceMoulds.get(turn) ?? mouldOfText(JSON.stringify(tracesOf(name, blocks[turn] as string, recorded[turn] as Recorded)))
      traceMoulds.set(turn, known)
      return cast(holes, known, (made[height - lowestHeight] as (typeof made)[number]).values)
    },
  }
}

/** Written as nodes answer: without white space. */
function mouldsOf({ block, receipts }: Recorded): Record<'header' | 'block' | 'receipts', EvmMould> & { fields: Readonly<Record<string, unknown>> } {
  const inBlock = { hash: holes.hash, parentHash: holes.parentHash, number: holes.number, timestamp: holes.timestamp }
  const moved = (value: unknown) =>
    JSON.stringify(value, (key, each: unknown) => {
      if (key === 'blockHash') return holes.hash
      if (key === 'blockNumber') return holes.number
      return key === 'blockTimestamp' ? holes.timestamp : each
    })
  const hashes = block.transactions.map(({ hash }) => hash)
  return {
    header: mouldOfText(moved({ ...block, ...inBlock, transactions: hashes })),
    block: mouldOfText(moved({ ...block, ...inBlock })),
    receipts: mouldOfText(moved(receipts)),
    fields: { ...block },
  }
}

// keccak256("Transfer(address,address,uint256)")
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** The block with the recipients of some of its token transfers replaced by watched ones; blooms and receipts root say so. */
function withPayments(recorded: Recorded, contracts: ReadonlySet<string | null>, payments: number, from: number): Recorded {
  if (payments === 0) return recorded
  const { block, receipts } = structuredClone(recorded)
  const moved = receipts
    .flatMap(({ logs }) => logs)
    .filter(({ topics, data }) => topics[0] === transferTopic && topics.length === 3 && BigInt(data) > 0n)
  // Where more are paid than there are transfers of known tokens, others become some.
  const [known, others] = [true, false].map((isKnown) => moved.filter(({ address }) => contracts.has(address) === isKnown)) as [ViemLog[], ViemLog[]]
  const payable = [...known, ...others]
  const token = known[0]?.address
  if (!token || payable.length < payments) throw new Error(`block ${Number(block.number)} has ${payable.length} transfers`)
  for (const [n, log] of payable.slice(0, payments).entries()) {
    if (n >= known.length) log.address = token
    const topics: string[] = log.topics
    topics[2] = `0x${madeUpAddress(from + n)
      .toString('hex')
      .padStart(64, '0')}`
  }
  const bloom = (logs: readonly ViemLog[]) => `0x${Buffer.from(bloomOf(logs)).toString('hex')}` as const
  const blooming = receipts.map((receipt) => ({ ...receipt, logsBloom: bloom(receipt.logs) }))
  const root = receiptsRoot(blooming as unknown as Parameters<typeof receiptsRoot>[0]) as `0x${string}`
  return { block: { ...block, logsBloom: bloom(receipts.flatMap(({ logs }) => logs)), receiptsRoot: root }, receipts: blooming }
}

/** The recorded traces; where there are none, those of the outermost calls: as long a list, of shorter entries. */
function tracesOf(chain: ReplayedEvmChain, name: string, { block }: Recorded): { txHash: string; result: unknown }[] {
  const results =
    chain === 'ethereum' && name === '15753009'
      ? recordedTraces(`${chain}/${name}`).map(({ result }) => result)
      : block.transactions.map(({ from, to, value, gas, input }) => ({ type: 'CALL', from, to, value, gas, input }))
  return block.transactions.map(({ hash }, index) => ({ txHash: hash, result: results[index] }))
}
