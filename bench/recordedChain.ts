import type { RpcLog as ViemLog } from 'viem'
import { configuredChains } from '../src/chains/configuration.ts'
import { bloomOf } from '../src/chains/evm/bloom.ts'
import { headerHash } from '../src/chains/evm/headerHash.ts'
import { receiptsRoot } from '../src/chains/evm/receiptsRoot.ts'
import { assetsOf, type ConfiguredChain } from '../src/chains/registry.ts'
import { type Recorded, recordedBlock } from '../test/support/recordedBlocks.ts'
import { recordedTraces } from '../test/support/recordedTraces.ts'
import { fill, type Template, templateOf } from './template.ts'
import { syntheticAddress } from './watchedDatabase.ts'

/** Chains served from recorded mainnet blocks in turn, at our own heights and with the resulting hashes. */
export const replayedChains = {
  ethereum: { blocks: ['18000000', '15753009'], chainId: '0x1', blockSeconds: 12, finalizedBehind: 64 },
  polygon: { blocks: ['50000000', '38102393'], chainId: '0x89', blockSeconds: 2, finalizedBehind: 0 },
} as const
/** Chains of the EVM family. */
export type ReplayedEvmChain = keyof typeof replayedChains
export type ReplayedChain = ReplayedEvmChain | 'solana'

/** From here on, heights have seven hexadecimal digits for a long time, so the length of an answer does not depend on the height. */
export const firstHeight = 30_000_000

/** One block in `outOf` pays watched addresses, `payments` times. */
export interface Paying {
  outOf: number
  payments: number
}

/** Answers of a node about a chain, as the bytes of each result. */
export interface RecordedChain {
  /** With the hashes of its transactions. */
  header(height: number, paying: Paying): Buffer
  block(height: number, paying: Paying): Buffer
  receipts(height: number, paying: Paying): Buffer
  /** Traces of a block that was served before. */
  traces(hash: string): Buffer
}

/** Payments in the block at a height. Spreads paying blocks over all recorded blocks. */
export const paymentsAt = (height: number, { outOf, payments }: Paying): number =>
  height % outOf === (outOf % 2 === 0 ? Math.floor(height / outOf) % 2 : 0) ? payments : 0

const placeholders = { hash: `0x${'h'.repeat(64)}`, parentHash: `0x${'p'.repeat(64)}`, number: `0x${'n'.repeat(7)}`, timestamp: `0x${'t'.repeat(8)}` }
type EvmTemplate = Template<keyof typeof placeholders>
const templateOfText = (text: string): EvmTemplate => templateOf(placeholders, text)

const genesisTime = 1_700_000_000
/** Blocks before the first one are requested as well: the finalized block. */
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
  const templates = new Map<string, ReturnType<typeof templatesOf>>()
  const traceTemplates = new Map<number, EvmTemplate>()

  /** Templates of the block at a height. */
  const templatesAt = (height: number, paying: Paying) => {
    const index = height % recorded.length
    const payments = paymentsAt(height, paying)
    const key = `${index} ${payments}`
    const known = templates.get(key) ?? templatesOf(withPayments(recorded[index] as Recorded, contracts, payments, 1 + 100 * index))
    templates.set(key, known)
    return known
  }

  /** Each block is the parent of the next, and never changes. */
  const made: { templates: ReturnType<typeof templatesOf>; values: Record<keyof typeof placeholders, string> }[] = []
  const heights = new Map<string, number>()
  function blockAt(height: number, paying: Paying) {
    for (let next = lowestHeight + made.length; next <= height; next++) {
      const blockTemplates = templatesAt(next, paying)
      const place = {
        parentHash: made.at(-1)?.values.hash ?? `0x${'0'.repeat(64)}`,
        number: `0x${next.toString(16)}`,
        timestamp: `0x${(genesisTime + (next - firstHeight) * blockSeconds).toString(16)}`,
      }
      const hash = headerHash({ ...blockTemplates.fields, ...place }) as string
      made.push({ templates: blockTemplates, values: { ...place, hash } })
      heights.set(hash, next)
    }
    return made[height - lowestHeight] as (typeof made)[number]
  }
  const filledAt = (kind: 'header' | 'block' | 'receipts') => (height: number, paying: Paying) => {
    const { templates, values } = blockAt(height, paying)
    return fill(placeholders, templates[kind], values)
  }

  return {
    header: filledAt('header'),
    block: filledAt('block'),
    receipts: filledAt('receipts'),
    traces(hash) {
      const height = heights.get(hash) as number
      const index = height % recorded.length
      const known = traceTemplates.get(index) ?? templateOfText(JSON.stringify(tracesOf(name, blocks[index] as string, recorded[index] as Recorded)))
      traceTemplates.set(index, known)
      return fill(placeholders, known, (made[height - lowestHeight] as (typeof made)[number]).values)
    },
  }
}

/** JSON without white space, as nodes answer. */
function templatesOf({
  block,
  receipts,
}: Recorded): Record<'header' | 'block' | 'receipts', EvmTemplate> & { fields: Readonly<Record<string, unknown>> } {
  const inBlock = { hash: placeholders.hash, parentHash: placeholders.parentHash, number: placeholders.number, timestamp: placeholders.timestamp }
  const moved = (value: unknown) =>
    JSON.stringify(value, (key, each: unknown) => {
      if (key === 'blockHash') return placeholders.hash
      if (key === 'blockNumber') return placeholders.number
      return key === 'blockTimestamp' ? placeholders.timestamp : each
    })
  const hashes = block.transactions.map(({ hash }) => hash)
  return {
    header: templateOfText(moved({ ...block, ...inBlock, transactions: hashes })),
    block: templateOfText(moved({ ...block, ...inBlock })),
    receipts: templateOfText(moved(receipts)),
    fields: { ...block },
  }
}

// keccak256("Transfer(address,address,uint256)")
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Replaces the recipients of some token transfers by watched addresses, and updates blooms and receipts root. */
function withPayments(recorded: Recorded, contracts: ReadonlySet<string | null>, payments: number, from: number): Recorded {
  if (payments === 0) return recorded
  const { block, receipts } = structuredClone(recorded)
  const moved = receipts
    .flatMap(({ logs }) => logs)
    .filter(({ topics, data }) => topics[0] === transferTopic && topics.length === 3 && BigInt(data) > 0n)
  // If there are too few transfers of known tokens, change the token of others.
  const [known, others] = [true, false].map((isKnown) => moved.filter(({ address }) => contracts.has(address) === isKnown)) as [ViemLog[], ViemLog[]]
  const payable = [...known, ...others]
  const token = known[0]?.address
  if (!token || payable.length < payments) throw new Error(`block ${Number(block.number)} has only ${payable.length} transfers`)
  for (const [n, log] of payable.slice(0, payments).entries()) {
    if (n >= known.length) log.address = token
    const topics: string[] = log.topics
    topics[2] = `0x${syntheticAddress(from + n)
      .toString('hex')
      .padStart(64, '0')}`
  }
  const bloom = (logs: readonly ViemLog[]) => `0x${Buffer.from(bloomOf(logs)).toString('hex')}` as const
  const blooming = receipts.map((receipt) => ({ ...receipt, logsBloom: bloom(receipt.logs) }))
  const root = receiptsRoot(blooming as unknown as Parameters<typeof receiptsRoot>[0]) as `0x${string}`
  return { block: { ...block, logsBloom: bloom(receipts.flatMap(({ logs }) => logs)), receiptsRoot: root }, receipts: blooming }
}

/** The recorded traces; without them, traces of the outermost calls: a list of the same length with shorter entries. */
function tracesOf(chain: ReplayedEvmChain, name: string, { block }: Recorded): { txHash: string; result: unknown }[] {
  const results =
    chain === 'ethereum' && name === '15753009'
      ? recordedTraces(`${chain}/${name}`).map(({ result }) => result)
      : block.transactions.map(({ from, to, value, gas, input }) => ({ type: 'CALL', from, to, value, gas, input }))
  return block.transactions.map(({ hash }, index) => ({ txHash: hash, result: results[index] }))
}
