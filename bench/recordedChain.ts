import { configuredChains } from '../src/chains/configuration.ts'
import { headerHash } from '../src/chains/evm/read/headerHash.ts'
import { assetsOf, type ConfiguredChain } from '../src/chains/registry.ts'
import { type Recorded, recordedBlock } from '../test/support/recordedBlocks.ts'
import { recordedTraces } from '../test/support/recordedTraces.ts'
import { type PaidAs, type PayingBlock, payingBlock } from './payingBlock.ts'
import { fill, type Placeholders, type Template, templateOf } from './template.ts'

/** Chains served from recorded mainnet blocks in turn, at our own heights and with the resulting hashes. */
export const replayedChains = {
  ethereum: { blocks: ['18000000', '15753009'], chainId: '0x1', blockSeconds: 12, finalizedBehind: 64 },
  polygon: { blocks: ['50000000', '38102393'], chainId: '0x89', blockSeconds: 2, finalizedBehind: 0 },
} as const
/** Chains of the EVM family. */
export type ReplayedEvmChain = keyof typeof replayedChains
export type ReplayedChain = ReplayedEvmChain | 'solana'

/**
 * From here on, heights have seven hexadecimal digits for a long time, so the length of an answer does not
 * depend on the height.
 */
export const firstHeight = 30_000_000

/** One block in `outOf` pays watched addresses, `payments` times. */
export interface Paying {
  outOf: number
  payments: number
  /** All of them in this token, and of this amount; as recorded without it. */
  as?: PaidAs
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

const placeholders = {
  hash: `0x${'h'.repeat(64)}`,
  parentHash: `0x${'p'.repeat(64)}`,
  number: `0x${'n'.repeat(7)}`,
  timestamp: `0x${'t'.repeat(8)}`,
}

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
  const templates = new Map<string, BlockTemplates>()
  const traceTemplates = new Map<BlockTemplates, Template<string>>()

  /** Templates of the block at a height. */
  const templatesAt = (height: number, paying: Paying) => {
    const index = height % recorded.length
    const payments = height < firstHeight ? 0 : paymentsAt(height, paying)
    const key = `${index} ${payments}`
    const known =
      templates.get(key) ??
      templatesOf(
        recorded[index] as Recorded,
        payments === 0 ? null : payingBlock(recorded[index] as Recorded, contracts, payments, paying.as),
      )
    templates.set(key, known)
    return known
  }

  /** Each block is the parent of the next, and never changes. */
  const made: { templates: BlockTemplates; values: Record<string, string> }[] = []
  const heights = new Map<string, number>()
  function blockAt(height: number, paying: Paying) {
    for (let next = lowestHeight + made.length; next <= height; next++) {
      const blockTemplates = templatesAt(next, paying)
      const place = {
        parentHash: made.at(-1)?.values.hash ?? `0x${'0'.repeat(64)}`,
        number: `0x${next.toString(16)}`,
        timestamp: `0x${(genesisTime + (next - firstHeight) * blockSeconds).toString(16)}`,
      }
      const own = blockTemplates.paying?.at(next)
      const hash = headerHash({ ...blockTemplates.fields, ...own?.header, ...place }) as string
      made.push({ templates: blockTemplates, values: { ...own?.values, ...place, hash } })
      heights.set(hash, next)
    }
    return made[height - lowestHeight] as (typeof made)[number]
  }
  const filledAt = (kind: 'header' | 'block' | 'receipts') => (height: number, paying: Paying) => {
    const { templates, values } = blockAt(height, paying)
    return fill(templates.placeholders, templates[kind], values)
  }

  return {
    header: filledAt('header'),
    block: filledAt('block'),
    receipts: filledAt('receipts'),
    traces(hash) {
      const height = heights.get(hash) as number
      const index = height % recorded.length
      const { templates, values } = made[height - lowestHeight] as (typeof made)[number]
      const text = () =>
        JSON.stringify(
          tracesOf(
            name,
            blocks[index] as string,
            templates.paying?.recorded ?? (recorded[index] as Recorded),
          ),
        )
      const known = traceTemplates.get(templates) ?? templateOf(templates.placeholders, text())
      traceTemplates.set(templates, known)
      return fill(templates.placeholders, known, values)
    },
  }
}

interface BlockTemplates extends Record<'header' | 'block' | 'receipts', Template<string>> {
  placeholders: Placeholders<string>
  /** Of the header. */
  fields: Readonly<Record<string, unknown>>
  paying: PayingBlock | null
}

/** JSON without white space, as nodes answer. */
function templatesOf(recorded: Recorded, paying: PayingBlock | null): BlockTemplates {
  const { block, receipts } = paying?.recorded ?? recorded
  const all = { ...placeholders, ...paying?.placeholders }
  const inBlock = {
    hash: placeholders.hash,
    parentHash: placeholders.parentHash,
    number: placeholders.number,
    timestamp: placeholders.timestamp,
  }
  const moved = (value: unknown) =>
    JSON.stringify(value, (key, each: unknown) => {
      if (key === 'blockHash') return placeholders.hash
      if (key === 'blockNumber') return placeholders.number
      return key === 'blockTimestamp' ? placeholders.timestamp : each
    })
  const hashes = block.transactions.map(({ hash }) => hash)
  return {
    header: templateOf(all, moved({ ...block, ...inBlock, transactions: hashes })),
    block: templateOf(all, moved({ ...block, ...inBlock })),
    receipts: templateOf(all, moved(receipts)),
    placeholders: all,
    fields: { ...block },
    paying,
  }
}

/**
 * The recorded traces; without them, traces of the outermost calls: a list of the same length with shorter
 * entries.
 */
function tracesOf(
  chain: ReplayedEvmChain,
  name: string,
  { block }: Recorded,
): { txHash: string; result: unknown }[] {
  const results =
    chain === 'ethereum' && name === '15753009'
      ? recordedTraces(`${chain}/${name}`).map(({ result }) => result)
      : block.transactions.map(({ from, to, value, gas, input }) => ({
          type: 'CALL',
          from,
          to,
          value,
          gas,
          input,
        }))
  return block.transactions.map(({ hash }, index) => ({ txHash: hash, result: results[index] }))
}
