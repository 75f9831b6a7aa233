import { NATIVE_MINT } from '@solana/spl-token'
import { ProviderError } from '../../chain.ts'
import { agreedOutcome, prunedAnswer, type ReportedOutcome } from '../../providers/agreeOutcome.ts'
import { type JsonRpc, RpcError } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import type { Outcome, SentTransaction, TokenMove } from '../../sending.ts'
import { wholeNumber } from '../chainState.ts'
import { describeError } from '../errors.ts'
import { getBlock, requireBlock } from '../read/getBlock.ts'
import { commitment, headerOf, highestVersion } from '../read/header.ts'
import { placesOf, type TokenBalances, tokenMovesOf } from '../read/tokenMoves.ts'
import type { RpcBlock } from '../rpcTypes.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { type SignatureStatus, statusesOf } from './signatureStatuses.ts'

/**
 * The outcome of a transfer's transactions. One in a block that is not confirmed yet is still absent. They
 * are unminable (`gone`) if every node that answers has finalized a block above the last height of each,
 * hasBlocksOf all blocks that could hold them, and knows not one of them.
 */
export const transferOutcome = (
  ctx: SolanaSenderContext,
  transactions: readonly SentTransaction[],
): Promise<Outcome> => agreedOutcome(ctx.providers, transactions, (rpc) => outcomeBy(ctx, rpc, transactions))

async function outcomeBy(
  ctx: SolanaSenderContext,
  rpc: JsonRpc,
  transactions: readonly SentTransaction[],
): Promise<ReportedOutcome> {
  // Final block before statuses: a transaction still unknown past its last height can no longer enter a
  // block.
  const final = await finalBlock(rpc)
  const ids = transactions.map(({ txId }) => txId)
  const { head, statuses } = await statusesOf(rpc, ids)
  const known = statuses.filter((each) => each !== null)
  const best =
    known.find(({ standing }) => standing === 'finalized') ??
    known.find(({ standing }) => standing === 'confirmed')
  if (best) return { head, outcome: await included(ctx, rpc, best) }
  const ends = transactions
    .map(({ expiry }) => (expiry && 'blockHeight' in expiry ? expiry.blockHeight : null))
    .filter((end) => end !== null)
  const isExpired =
    known.length === 0 &&
    ends.length > 0 &&
    ends.length === ids.length &&
    ends.every((end) => final.height > end)
  if (!isExpired) return { head, outcome: { status: 'absent' } }
  // Several nodes may answer under one name: the one that returned the statuses is behind the final block.
  if (head < final.slot) return prunedAnswer
  return (await hasBlocksOf(rpc, ends, final))
    ? { head, outcome: { status: 'unminable', reason: 'expired', standing: 'final' } }
    : prunedAnswer
}

/** The newest final block; height and slot from the same answer. */
async function finalBlock(rpc: JsonRpc): Promise<BlockPosition> {
  const answered = (await rpc.call('getEpochInfo', [{ commitment: 'finalized' }])) as {
    blockHeight?: unknown
    absoluteSlot?: unknown
  } | null
  return {
    height: wholeNumber(rpc, 'height', answered?.blockHeight),
    slot: Number(wholeNumber(rpc, 'slot', answered?.absoluteSlot)),
  }
}

/**
 * A transaction can enter the 150 blocks up to its end (Solana docs, "Transaction confirmation"); doubled,
 * because ends may be set too late.
 */
const window = 300n

interface BlockPosition {
  height: bigint
  slot: number
}

/**
 * True if the node has all blocks that could hold the transactions. Nodes prune old blocks, and one started
 * from a snapshot has a hole where it was away. Heights count blocks: no block is missing if the node lists
 * as many blocks as heights.
 */
async function hasBlocksOf(rpc: JsonRpc, ends: readonly bigint[], final: BlockPosition): Promise<boolean> {
  try {
    for (const end of new Set(ends)) if (!(await hasBlocksUpTo(rpc, end, final))) return false
    return true
  } catch (error) {
    // The node may be pruning a block right now: the next check is soon.
    if (error instanceof RpcError) return false
    throw error
  }
}

async function hasBlocksUpTo(rpc: JsonRpc, end: bigint, final: BlockPosition): Promise<boolean> {
  const first = await blockAtOrBelow(rpc, end > window ? end - window : 0n, final)
  if (!first) return false
  const count = Number(end - first.height) + 1
  const slots = await slotsFrom(rpc, first.slot, count)
  const last = slots.at(-1)
  return slots.length === count && last !== undefined && (await heightAt(rpc, last)) === end
}

/**
 * A final block at a height or below; null if the node lists no such block. There are at least as many slots
 * as blocks.
 */
async function blockAtOrBelow(
  rpc: JsonRpc,
  height: bigint,
  final: BlockPosition,
): Promise<BlockPosition | null> {
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
      // Only skipped slots are between: step back further.
      back *= 2
    }
  }
  return at
}

async function slotsFrom(rpc: JsonRpc, slot: number, count: number): Promise<number[]> {
  const slots = await rpc.call('getBlocksWithLimit', [slot, count, { commitment: 'finalized' }])
  if (!Array.isArray(slots) || !slots.every(Number.isSafeInteger))
    throw new ProviderError(`${rpc.name} returned an invalid list of slots from ${slot}`)
  return slots as number[]
}

async function heightAt(rpc: JsonRpc, slot: number): Promise<bigint> {
  const block = requireBlock(
    rpc,
    slot,
    await getBlock<RpcBlock & { blockHeight?: unknown }>(rpc, slot, 'none'),
  )
  return wholeNumber(rpc, 'block height', block.blockHeight)
}

async function included(
  ctx: SolanaSenderContext,
  rpc: JsonRpc,
  { txId, slot, standing, depth, err }: SignatureStatus,
): Promise<Outcome> {
  const [blockId, receipt] = await Promise.all([blockIdOf(ctx, slot), receiptOf(rpc, txId)])
  const isDeep = !ctx.chain.byFinalizedTag && depth >= ctx.chain.confirmations
  // Not final before the fee is known: a settled row is not read again, and what it cost would be
  // missing in the books.
  const isFinal = standing === 'finalized' && receipt !== null
  const standingBefore = isDeep || standing === 'finalized' ? 'confirmed' : 'seen'
  return {
    status: 'included',
    txId,
    succeeded: err === null,
    reason: err === null ? null : describeError(err, receipt?.logs),
    blockHeight: slot,
    blockId,
    standing: isFinal ? 'final' : standingBefore,
    fee: receipt?.fee ?? null,
    gasUsed: null,
    nativeChange: receipt?.change ?? null,
    tokenMoves: receipt?.tokenMoves ?? null,
  }
}

async function blockIdOf({ providers }: SolanaSenderContext, slot: number): Promise<string> {
  const header = await providers.ask(async (rpc) => {
    const block = requireBlock(rpc, slot, await getBlock<RpcBlock>(rpc, slot, 'none'))
    return sound(() => headerOf(block, slot))
  })
  if (!header) throw new ProviderError(`no provider has the block of slot ${slot}`)
  return header.id
}

interface Receipt {
  /** Lamports. */
  fee: bigint
  /** Of the fee payer's SOL and wrapped SOL together, without the fee. */
  change: bigint
  tokenMoves: TokenMove[] | null
  logs: unknown
}

/** By this node alone, since two must agree on it; null if it has no fee yet. */
async function receiptOf(rpc: JsonRpc, txId: string): Promise<Receipt | null> {
  const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: highestVersion }
  try {
    const answered = (await rpc.call('getTransaction', [txId, options])) as Answered | null
    if (!answered?.meta) return null
    const fee = wholeNumber(rpc, 'fee', answered.meta.fee)
    const [before, after] = payerCoins(rpc, answered, answered.meta)
    return {
      fee,
      change: after - before + fee,
      tokenMoves: tokenMovesOf(answered.meta),
      logs: answered.meta.logMessages,
    }
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}

interface Meta extends TokenBalances {
  fee?: unknown
  /** By account; the first one pays the fee. */
  preBalances?: unknown
  postBalances?: unknown
  logMessages?: unknown
}

interface Answered {
  meta?: Meta | null
  transaction?: { message?: { accountKeys?: unknown } }
}

/**
 * Lamports of the fee payer before and after, in its own account and in its accounts of wrapped SOL: one may
 * be closed into the other.
 */
function payerCoins(rpc: JsonRpc, { transaction }: Answered, meta: Meta): [bigint, bigint] {
  const keys = transaction?.message?.accountKeys
  const payer: unknown = Array.isArray(keys) ? keys[0] : undefined
  const sumOf = (balances: unknown, tokens: unknown) => {
    const places = [0, ...placesOf(tokens, NATIVE_MINT.toBase58(), payer)]
    return places.reduce(
      (sum, place) =>
        sum + wholeNumber(rpc, 'balance', Array.isArray(balances) ? balances[place] : undefined),
      0n,
    )
  }
  return [sumOf(meta.preBalances, meta.preTokenBalances), sumOf(meta.postBalances, meta.postTokenBalances)]
}
