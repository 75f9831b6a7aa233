import { agreedOutcome, prunedAnswer, type ReportedOutcome } from '../agreeOutcome.ts'
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

async function outcomeBy(ctx: SolanaSenderContext, rpc: JsonRpc, transactions: readonly SentTransaction[]): Promise<ReportedOutcome> {
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
  if (head < final.slot) return prunedAnswer
  return (await keeps(rpc, ends, final)) ? { head, outcome: { status: 'gone', reason: 'expired', standing: 'final' } } : prunedAnswer
}

/** The newest final block by one answer of one node. */
async function finalBlock(rpc: JsonRpc): Promise<Place> {
  const told = (await rpc.call('getEpochInfo', [{ commitment: 'finalized' }])) as { blockHeight?: unknown; absoluteSlot?: unknown } | null
  return { height: wholeOf(rpc, 'height', told?.blockHeight), slot: Number(wholeOf(rpc, 'slot', told?.absoluteSlot)) }
}

/** A transaction's blocks are the 150 below its end (Solana docs, "Transaction confirmation"); as many again, because ends may be set too late. */
const window = 300n

interface Place {
  height: bigint
  slot: number
}

/**
 * Whether the node has all blocks in which these could be. Nodes drop old ones, and one that was started from a snapshot has a hole where it
 * was away: of what stood there they know nothing. Heights count blocks, so where it lists as many blocks as there are heights none is missing.
 */
async function keeps(rpc: JsonRpc, ends: readonly bigint[], final: Place): Promise<boolean> {
  try {
    for (const end of new Set(ends)) if (!(await keepsUpTo(rpc, end, final))) return false
    return true
  } catch (error) {
    // It may drop a block just now: the next look is soon.
    if (error instanceof RpcError) return false
    throw error
  }
}

async function keepsUpTo(rpc: JsonRpc, end: bigint, final: Place): Promise<boolean> {
  const first = await placeBelow(rpc, end > window ? end - window : 0n, final)
  if (!first) return false
  const count = Number(end - first.height) + 1
  const slots = await slotsFrom(rpc, first.slot, count)
  const last = slots.at(-1)
  return slots.length === count && last !== undefined && (await heightAt(rpc, last)) === end
}

/** A final block at a height or below it; null where the node lists none. There are at least as many slots as blocks. */
async function placeBelow(rpc: JsonRpc, height: bigint, final: Place): Promise<Place | null> {
  let at = final
  let back = Number(at.height - height)
  while (at.height > height) {
    const [slot] = await slotsFrom(rpc, Math.max(0, at.slot - back), 1)
    if (slot === undefined) return null
    if (slot < at.slot) {
      at = { slot, height: await heightAt(rpc, slot) }
      back = Number(at.height - height)
    } else {
      if (back >= at.slot) return null
      // The slots between were skipped.
      back *= 2
    }
  }
  return at
}

async function slotsFrom(rpc: JsonRpc, slot: number, count: number): Promise<number[]> {
  const slots = await rpc.call('getBlocksWithLimit', [slot, count, { commitment: 'finalized' }])
  if (!Array.isArray(slots) || !slots.every(Number.isSafeInteger)) throw new ProviderError(`${rpc.name} lists no slots from ${slot} on`)
  return slots as number[]
}

async function heightAt(rpc: JsonRpc, slot: number): Promise<bigint> {
  const block = requireBlock(rpc, slot, await getBlock<RpcBlock & { blockHeight?: unknown }>(rpc, slot, 'none'))
  return wholeOf(rpc, 'block height', block.blockHeight)
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
