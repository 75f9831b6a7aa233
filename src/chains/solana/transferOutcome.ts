import { agreedOutcome, forgotten, type Told } from '../agreeOutcome.ts'
import { ProviderError } from '../chain.ts'
import { type JsonRpc, RpcError } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import type { Outcome, SentTransaction } from '../sending.ts'
import { wholeOf } from './chainState.ts'
import { wordsOf } from './errors.ts'
import { getBlock, requireBlock } from './getBlock.ts'
import { commitment, headerOf, highestVersion } from './header.ts'
import type { RpcBlock } from './rpcTypes.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { type SignatureStatus, statusesOf } from './signatureStatuses.ts'

/**
 * What became of a transfer's transactions. One that a node has seen in a block which is not confirmed yet is still absent. They are gone
 * where every node that answers has finalized a block above the last height at which any of them could enter one, keeps all blocks that
 * could hold them, and knows none of them.
 */
export const transferOutcome = (ctx: SolanaSenderContext, transactions: readonly SentTransaction[]): Promise<Outcome> =>
  agreedOutcome(ctx.providers, transactions, (rpc) => outcomeBy(ctx, rpc, transactions))

async function outcomeBy(ctx: SolanaSenderContext, rpc: JsonRpc, transactions: readonly SentTransaction[]): Promise<Told> {
  // In this order: what was in no block at that height comes into none after it.
  const final = await finalBlock(rpc)
  const ids = transactions.map(({ txId }) => txId)
  const { head, statuses } = await statusesOf(rpc, ids)
  const known = statuses.filter((each) => each !== null)
  const best = known.find(({ standing }) => standing === 'finalized') ?? known.find(({ standing }) => standing === 'confirmed')
  if (best) return { head, outcome: await included(ctx, best) }
  const ends = transactions.map(({ expiry }) => (expiry && 'blockHeight' in expiry ? expiry.blockHeight : null)).filter((end) => end !== null)
  const isPast = known.length === 0 && ends.length > 0 && ends.length === ids.length && ends.every((end) => final.height > end)
  if (!isPast) return { head, outcome: { status: 'absent' } }
  // One name may stand for several nodes: the one that told of the transactions has not come so far.
  if (head < final.slot) return forgotten
  return (await keeps(rpc, ends)) ? { head, outcome: { status: 'gone', reason: 'expired', standing: 'final' } } : forgotten
}

/** The newest final block by one answer of one node. */
async function finalBlock(rpc: JsonRpc): Promise<{ height: bigint; slot: number }> {
  const told = (await rpc.call('getEpochInfo', [{ commitment: 'finalized' }])) as { blockHeight?: unknown; absoluteSlot?: unknown } | null
  return { height: wholeOf(rpc, 'height', told?.blockHeight), slot: Number(wholeOf(rpc, 'slot', told?.absoluteSlot)) }
}

/** A transaction's blocks are the 150 below its end (Solana docs, "Transaction confirmation"); as many again, because ends may be set too late. */
const window = 300n

/** Whether the node has all blocks in which these could be: nodes drop old ones, and know nothing of their transactions then. */
async function keeps(rpc: JsonRpc, ends: readonly bigint[]): Promise<boolean> {
  const first = await rpc.call('getFirstAvailableBlock', [])
  try {
    const block = await getBlock<RpcBlock & { blockHeight?: unknown }>(rpc, Number(wholeOf(rpc, 'first block', first)), 'none')
    const height = block?.blockHeight
    return Number.isSafeInteger(height) && ends.every((end) => BigInt(height as number) <= (end > window ? end - window : 0n))
  } catch (error) {
    // It may drop this block just now: the next look is soon.
    if (error instanceof RpcError) return false
    throw error
  }
}

async function included(ctx: SolanaSenderContext, { txId, slot, standing, depth, err }: SignatureStatus): Promise<Outcome> {
  const [blockId, receipt] = await Promise.all([blockIdOf(ctx, slot), receiptOf(ctx, txId)])
  const isDeep = !ctx.chain.byFinalizedTag && depth >= ctx.chain.confirmations
  return {
    status: 'included',
    txId,
    succeeded: err === null,
    reason: err === null ? null : wordsOf(err, receipt?.logs),
    blockHeight: slot,
    blockId,
    standing: standing === 'finalized' ? 'final' : isDeep ? 'confirmed' : 'seen',
    fee: receipt?.fee ?? null,
    gasUsed: null,
  }
}

async function blockIdOf({ providers }: SolanaSenderContext, slot: number): Promise<string> {
  const header = await providers.ask(async (rpc) => {
    const block = requireBlock(rpc, slot, await getBlock<RpcBlock>(rpc, slot, 'none'))
    return sound(() => headerOf(block, slot))
  })
  if (!header) throw new ProviderError(`nobody has the block of slot ${slot}`)
  return header.id
}

/** What the transaction took, in lamports, and what its programs said; null where no node tells it yet. */
async function receiptOf({ providers }: SolanaSenderContext, txId: string): Promise<{ fee: bigint; logs: unknown } | null> {
  const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: highestVersion }
  try {
    return await providers.ask(async (rpc) => {
      const told = (await rpc.call('getTransaction', [txId, options])) as { meta?: { fee?: unknown; logMessages?: unknown } | null } | null
      return told?.meta ? { fee: wholeOf(rpc, 'fee', told.meta.fee), logs: told.meta.logMessages } : null
    })
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}
