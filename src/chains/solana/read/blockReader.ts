import {
  type Block,
  type BlockHeader,
  type BlockReader,
  ProviderError,
  type ProviderTip,
  UnreadableBlockError,
} from '../../chain.ts'
import { type JsonRpc, RpcError } from '../../providers/jsonRpc.ts'
import { createLateAnswers } from '../../providers/providers.ts'
import { sound } from '../../providers/sound.ts'
import { atBlock, crossCheckBy, headBy, onlyBy, orUndefined, readPrefix } from '../../reading.ts'
import { storable } from '../../storable.ts'
import type { RpcBlock } from '../rpcTypes.ts'
import { explainTransaction } from './explainTransaction.ts'
import { getBlock, getLightBlock, getNewBlock, requireBlock } from './getBlock.ts'
import { commitment, type HeaderFields, headerOf, highestVersion, slotId } from './header.ts'
import { lightBlock } from './lightBlock.ts'
import { touchedAddresses, transfersOfBlock } from './movements.ts'
import type { SolanaReaderContext } from './readerContext.ts'

/** Error codes of Agave's JSON-RPC (Solana docs, "JSON-RPC errors"). */
const codes = {
  notAvailable: -32004,
  skipped: -32007,
  skippedOrMissing: -32009,
  notYet: -32014,
  unknownVersion: -32015,
} as const
/**
 * These do not prove a skipped slot: nodes also answer them for blocks that they do not have yet, or no
 * longer have.
 */
const maybeSkipped: readonly (number | undefined)[] = [
  codes.notAvailable,
  codes.skipped,
  codes.skippedOrMissing,
  codes.notYet,
]

/**
 * Reads Solana slot by slot. A slot counts as skipped only when the next block names a parent below it. A
 * skipped slot gets its own header, between that parent and that block.
 */
export function solanaBlockReader(ctx: SolanaReaderContext): BlockReader {
  const { providers } = ctx
  const lateHeads = createLateAnswers<BlockHeader & { source: string }>()
  const lateTips = createLateAnswers<ProviderTip>()
  const header = (rpc: JsonRpc, slot: number) =>
    readSlot(
      rpc,
      slot,
      () => getBlock<RpcBlock>(rpc, slot, 'none'),
      (each) => each,
    )

  return {
    head: () => headBy(providers, (rpc) => newest(rpc, commitment), lateHeads),
    tips: () =>
      providers.askAll(async (rpc) => {
        const [head, finalized] = await Promise.all([
          newestSlot(rpc, commitment),
          orUndefined(newest(rpc, 'finalized')),
        ])
        return { source: rpc.name, head, finalized }
      }, lateTips),
    header: (slot, source) =>
      atBlock(
        slot,
        providers.ask((rpc) => header(rpc, slot), onlyBy(source)),
      ),
    block: (slot) =>
      atBlock(
        slot,
        providers.ask((rpc) => readBlock(rpc, slot)),
      ),
    blocks: (from, to) =>
      readPrefix(from, to, (slot) =>
        atBlock(
          slot,
          providers.ask((rpc) => readLightBlock(ctx, rpc, slot)),
        ),
      ),
    atHead: (slot) =>
      atBlock(
        slot,
        providers.ask((rpc) => readNewBlock(ctx, rpc, slot)),
      ),
    crossCheck: (block, transfers) =>
      crossCheckBy(providers, block, transfers, (rpc) => readBlock(rpc, block.height)),
    transaction: (txId) => explainTransaction(ctx, txId),
    verify: () => providers.verify(),
    sources: providers.names,
    doubt: (source) => providers.doubt(source),
    internalMethod: 'included',
  }
}

const readBlock = (rpc: JsonRpc, slot: number): Promise<Block | null> =>
  readSlot(
    rpc,
    slot,
    () => getBlock<RpcBlock>(rpc, slot, 'full'),
    (header, block) => wholeBlock(header, block, rpc.name),
  )

function wholeBlock(header: BlockHeader, block: RpcBlock | null, source: string): Block {
  if (!block?.transactions && block)
    throw new ProviderError(`${source} returned slot ${header.height} without transactions`)
  return storable({ ...header, transfers: transfersOfBlock(block?.transactions ?? []), source, traced: true })
}

/** Reads what was touched, and keeps the answer: it is parsed if one of these addresses is watched. */
const readNewBlock = (ctx: SolanaReaderContext, rpc: JsonRpc, slot: number): Promise<Block | null> =>
  readSlot(
    rpc,
    slot,
    () => getNewBlock(ctx, rpc, slot),
    (header, block) => {
      if (!block || !('touched' in block)) return wholeBlock(header, block, rpc.name)
      return lightBlock(header, block.touched, rpc.name, () =>
        sound(() => wholeBlock(header, block.parsed(), rpc.name)),
      )
    },
  )

/**
 * Reads only the addresses that may have paid or been paid (`unread`). The indexer reads the whole block if
 * one of them is watched.
 */
async function readLightBlock(ctx: SolanaReaderContext, rpc: JsonRpc, slot: number): Promise<Block | null> {
  if (ctx.withoutLight.has(rpc.name)) return readBlock(rpc, slot)
  try {
    const light = await readSlot(
      rpc,
      slot,
      () => getLightBlock(ctx, rpc, slot),
      (header, block): Block | 'unknown' => {
        if (block?.touched) return lightBlock(header, block.touched, rpc.name)
        if (block && !block.transactions) return 'unknown'
        return storable({
          ...header,
          transfers: [],
          unread: touchedAddresses(block?.transactions ?? []),
          source: rpc.name,
          traced: true,
        })
      },
    )
    if (light !== 'unknown') return light
  } catch (error) {
    if (!(error instanceof RpcError && (error.isUnsupported || error.rpcCode === invalidParams))) throw error
  }
  ctx.withoutLight.add(rpc.name)
  return readBlock(rpc, slot)
}

/** Standard JSON-RPC code: an old node does not know the value `accounts`. */
const invalidParams = -32602

/** Slots to step back from the newest one: a node reports a slot a moment before it can return its block. */
const maxBehind = 8

async function newestSlot(rpc: JsonRpc, at: 'confirmed' | 'finalized'): Promise<number> {
  const slot = await rpc.call('getSlot', [{ commitment: at }])
  if (!Number.isSafeInteger(slot)) throw new ProviderError(`${rpc.name} returned no newest slot`)
  return slot as number
}

/** The newest block at a commitment that the node can return. */
async function newest(rpc: JsonRpc, at: 'confirmed' | 'finalized'): Promise<BlockHeader> {
  const reported = await newestSlot(rpc, at)
  for (let slot = reported; slot >= Math.max(0, reported - maxBehind); slot--) {
    const block = await getBlock<RpcBlock>(rpc, slot, 'none').catch((error: unknown) => {
      if (error instanceof RpcError && maybeSkipped.includes(error.rpcCode)) return null
      throw error
    })
    if (block) return sound(() => headerOf(block, slot))
  }
  throw new ProviderError(`${rpc.name} reports slot ${reported} and returns no block of its newest slots`)
}

/**
 * Reads one slot.
 * @param get requests its block
 * @param make receives the slot's header, and its block unless the slot was skipped
 * @returns null if the chain has not reached the slot
 * @throws ProviderError if this provider does not know whether the slot has a block
 * @throws UnreadableBlockError on a transaction of an unknown version
 */
async function readSlot<B extends HeaderFields, T>(
  rpc: JsonRpc,
  slot: number,
  get: () => Promise<B | null>,
  make: (header: BlockHeader, block: B | null) => T,
): Promise<T | null> {
  let block: B | null = null
  try {
    block = await get()
  } catch (error) {
    if (error instanceof RpcError && error.rpcCode === codes.unknownVersion) {
      throw new UnreadableBlockError(
        `slot ${slot} has a transaction of a version above ${highestVersion}: it waits until this program knows it`,
      )
    }
    if (!(error instanceof RpcError && maybeSkipped.includes(error.rpcCode))) throw error
  }
  if (block) {
    const found = block
    return sound(() => make(headerOf(found, slot), found))
  }
  const skipped = await skippedSlot(rpc, slot)
  return skipped && make(skipped, null)
}

/** The header of a skipped slot, proven by the next block; null if there is no next block yet. */
async function skippedSlot(rpc: JsonRpc, slot: number): Promise<BlockHeader | null> {
  const slots = await rpc.call('getBlocksWithLimit', [slot, 1, { commitment }])
  const next = Array.isArray(slots) ? (slots[0] as unknown) : undefined
  if (next === undefined) return null
  if (!Number.isSafeInteger(next) || (next as number) < slot)
    throw new ProviderError(`${rpc.name} returned an invalid list of slots from ${slot}`)
  if (next === slot) throw new ProviderError(`${rpc.name} lists slot ${slot} and does not give its block`)
  const block = requireBlock(rpc, next as number, await getBlock<RpcBlock>(rpc, next as number, 'none'))
  return sound(() => {
    const { time } = headerOf(block, next as number)
    if (block.parentSlot >= slot)
      throw new ProviderError(
        `${rpc.name} does not have slot ${slot}, and it was not skipped: the next block is built on ${block.parentSlot}`,
      )
    return {
      height: slot,
      id: slotId(block.previousBlockhash, slot - block.parentSlot),
      parentId: slotId(block.previousBlockhash, slot - 1 - block.parentSlot),
      // The next block's time, so that times never decrease: sessions expire by this clock.
      time,
    }
  })
}
