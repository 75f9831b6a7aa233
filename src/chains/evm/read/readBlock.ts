import type { Block, BlockHeader } from '../../chain.ts'
import { type Calling, inBatches, type JsonRpc } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import { storable } from '../../storable.ts'
import {
  hex,
  isStateSync,
  type RpcBlock,
  type RpcHeader,
  type RpcLightBlock,
  type RpcLog,
  type RpcReceipt,
} from '../rpcTypes.ts'
import { areOfBlock } from './areOfBlock.ts'
import { requireCompleteLogs, requireCompleteReceipts, requireTransactions, typesOf } from './completeness.ts'
import type { CrossCheckHeader } from './crossCheckHeader.ts'
import { fetchReceipts } from './fetchReceipts.ts'
import { atHeight, headerOf, requireHash } from './header.ts'
import { lightBlock } from './lightBlock.ts'
import { mintsOfDeposits } from './mintsOfDeposits.ts'
import {
  type EvmRules,
  type Movements,
  movementsOfLogs,
  movementsOfReceipts,
  tokensOfReceipts,
} from './movements.ts'
import type { EvmReaderContext, UnprovenError } from './readerContext.ts'
import type { ScannedReceipts } from './scanReceipts.ts'
import { isWholeBy, typesIn, wholeBlock } from './wholeBlock.ts'
import { withdrawalsOf } from './withdrawals.ts'

export interface ReadContext
  extends Pick<EvmReaderContext, 'survey' | 'rules' | 'unproven' | 'notUnderstood'> {
  crossCheck: CrossCheckHeader
}

export interface ReadBlock {
  block: Block
  raw: RpcBlock
  nativeByEvents: boolean
  unproven: readonly UnprovenError[]
}

/**
 * Reads a block with its receipts, or with its logs where the provider does not offer receipts by block. Null
 * where it lacks the block.
 */
export async function readBlock(ctx: ReadContext, rpc: JsonRpc, height: number): Promise<ReadBlock | null> {
  const read =
    ctx.survey.of(rpc.name)?.blockReceipts === false
      ? await readByLogs(ctx, rpc, height)
      : await readByReceipts(ctx, rpc, height)
  if (!read) return null
  if (read.unproven.includes('header') && !(await ctx.crossCheck(rpc, read.raw))) return null
  for (const what of read.unproven) ctx.unproven?.(rpc.name, what)
  return read
}

async function readByReceipts(ctx: ReadContext, rpc: JsonRpc, height: number): Promise<ReadBlock | null> {
  const [raw, { scanned, parsed }] = await Promise.all([
    getBlock<RpcBlock>(rpc, hex(height), true),
    fetchReceipts(ctx, rpc, height, { whole: true }),
  ])
  if (!raw) return null
  if (scanned && sound(() => isWholeBy(ctx.rules, atHeight(raw, height), scanned))) {
    return sound(() => blockOfScanned(ctx.rules, rpc.name, raw, scanned))
  }
  if (rpc.read) ctx.notUnderstood?.(rpc.name)
  const receipts = await withStateSync(rpc, raw, sound(parsed))
  return sound(() => blockOfReceipts(ctx.rules, rpc.name, atHeight(raw, height), receipts))
}

async function readByLogs(ctx: ReadContext, rpc: JsonRpc, height: number): Promise<ReadBlock | null> {
  const raw = await getBlock<RpcBlock>(rpc, hex(height), true)
  if (!raw) return null
  // By hash: by number, the logs could be of another fork.
  const logs = (await rpc.call('eth_getLogs', [{ blockHash: raw.hash }])) as RpcLog[]
  const read = sound(() => blockOfLogs(ctx.rules, rpc.name, atHeight(raw, height), logs))
  const minted = await mintsOfDeposits(ctx.rules, rpc, raw)
  return { ...read, block: { ...read.block, transfers: [...read.block.transfers, ...minted] } }
}

/**
 * Reads a block without its transactions: header, transaction hashes and receipts. Full transactions are two
 * thirds of the bytes and add only native values; the receipts name the accounts that may have received or
 * sent one.
 */
export async function readLightBlock(ctx: ReadContext, rpc: JsonRpc, height: number): Promise<Block | null> {
  if (ctx.survey.of(rpc.name)?.blockReceipts === false)
    return (await readBlock(ctx, rpc, height))?.block ?? null
  const many = inBatches(rpc)
  const [raw, receipts] = await Promise.all([
    getBlock<RpcLightBlock>(many, hex(height), false),
    fetchReceipts(ctx, many, height, { whole: false }),
  ])
  if (!raw) return null
  const { block, isProven } = sound(() => {
    const header = headerOf(atHeight(raw, height))
    const isProven = requireHash(ctx.rules, raw)
    const { scanned } = receipts
    if (!scanned || !areOfBlock(ctx.rules, raw, raw.transactions, scanned)) {
      if (rpc.read) ctx.notUnderstood?.(rpc.name)
      return { block: blockOfTokens(ctx.rules, rpc.name, raw, header, receipts.parsed()), isProven }
    }
    const { transfers } = storable({ transfers: withdrawalsOf(ctx.rules, raw) })
    return { block: lightBlock(header, rpc.name, scanned, transfers), isProven }
  })
  if (isProven) return block
  if (!(await ctx.crossCheck(rpc, raw))) return null
  ctx.unproven?.(rpc.name, 'header')
  return block
}

/** What the receipts alone show. */
function blockOfTokens(
  rules: EvmRules,
  source: string,
  raw: RpcLightBlock,
  header: BlockHeader,
  answered: RpcReceipt[],
): Block {
  const receipts = new Map(answered.map((receipt) => [receipt.transactionHash, receipt]))
  const transactions = raw.transactions.map((hash) => ({
    hash,
    type: receipts.get(hash)?.type,
    from: receipts.get(hash)?.from,
    to: receipts.get(hash)?.to,
  }))
  requireCompleteReceipts(rules, { ...raw, transactions }, answered)
  const { transfers, unread, nativeByEvents } = tokensOfReceipts(rules, answered)
  return storable({
    ...header,
    transfers: [...transfers, ...withdrawalsOf(rules, raw)],
    unread,
    source,
    traced: nativeByEvents,
  })
}

/** Some of Polygon's providers list the state-sync transaction but omit its receipt. */
async function withStateSync(rpc: JsonRpc, raw: RpcBlock, receipts: RpcReceipt[]): Promise<RpcReceipt[]> {
  const last = raw.transactions?.at(-1)
  if (
    !last ||
    !isStateSync(last) ||
    !Array.isArray(receipts) ||
    receipts.length !== raw.transactions.length - 1
  )
    return receipts
  const receipt = (await rpc.call('eth_getTransactionReceipt', [last.hash])) as RpcReceipt | null
  return receipt ? [...receipts, receipt] : receipts
}

/**
 * Builds a block from its receipts.
 * @throws ProviderError where block and receipts do not match or are malformed
 */
export function blockOfReceipts(
  rules: EvmRules,
  source: string,
  raw: RpcBlock,
  receipts: RpcReceipt[],
): ReadBlock {
  const header = headerOf(raw)
  const isHeaderProven = requireHash(rules, raw)
  const proven = requireCompleteReceipts(rules, raw, receipts)
  const areTransactionsProven = rules.trusted || requireTransactions(rules, raw, proven && typesOf(proven))
  const block = blockOf(rules, header, source, raw, movementsOfReceipts(rules, raw, receipts))
  return {
    block,
    raw,
    nativeByEvents: block.traced,
    unproven: unprovenOf(isHeaderProven, areTransactionsProven),
  }
}

/** The same from receipts by which the block can be read whole (`isWholeBy`). @throws ProviderError */
export function blockOfScanned(
  rules: EvmRules,
  source: string,
  raw: RpcBlock,
  scanned: ScannedReceipts,
): ReadBlock {
  const header = headerOf(raw)
  const isHeaderProven = requireHash(rules, raw)
  const areTransactionsProven = rules.trusted || requireTransactions(rules, raw, typesIn(raw, scanned))
  const block = wholeBlock(rules, header, source, raw, scanned, withdrawalsOf(rules, raw))
  return {
    block,
    raw,
    nativeByEvents: block.traced,
    unproven: unprovenOf(isHeaderProven, areTransactionsProven),
  }
}

/** Builds a block from its logs alone: its native transfers are `unproven`. @throws ProviderError */
export function blockOfLogs(rules: EvmRules, source: string, raw: RpcBlock, logs: RpcLog[]): ReadBlock {
  const header = headerOf(raw)
  const isHeaderProven = requireHash(rules, raw)
  requireCompleteLogs(rules, raw, logs)
  const areTransactionsProven = rules.trusted || requireTransactions(rules, raw, null)
  const block = blockOf(rules, header, source, raw, movementsOfLogs(rules, raw, logs))
  return {
    block,
    raw,
    nativeByEvents: block.traced,
    unproven: unprovenOf(isHeaderProven, areTransactionsProven),
  }
}

const blockOf = (
  rules: EvmRules,
  header: BlockHeader,
  source: string,
  raw: RpcBlock,
  { transfers, nativeByEvents }: Movements,
): Block =>
  storable({
    ...header,
    transfers: [...transfers, ...withdrawalsOf(rules, raw)],
    source,
    traced: nativeByEvents,
  })

const unprovenOf = (isHeaderProven: boolean, areTransactionsProven: boolean): UnprovenError[] => [
  ...(isHeaderProven ? [] : (['header'] as const)),
  ...(areTransactionsProven ? [] : (['transactions'] as const)),
]

export const getBlock = async <B extends RpcHeader>(rpc: Pick<Calling, 'call'>, at: string, full: boolean) =>
  (await rpc.call('eth_getBlockByNumber', [at, full])) as B | null
