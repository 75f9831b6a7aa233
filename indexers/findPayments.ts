import {
  type AddressCodec,
  type Block,
  ProviderError,
  type Transfer,
  type WatchFlags,
} from '../src/chains/chain.ts'
import { isCall } from '../src/chains/internalMovements.ts'
import { type Asset, assetsOf } from '../src/chains/registry.ts'
import type { MatchContext } from './context.ts'
import { watchFlags } from './watchFlags.ts'

/** A transfer to a watched address, or from a monitored one. */
export interface Payment {
  transfer: Transfer
  /** Null if Cowry does not know the token. */
  asset: Asset | null
}

/** A block and its transfers that may concern watches: the database decides which watches apply. */
export interface ReadBlock {
  block: Omit<Block, 'transfers' | 'unread' | 'packed'>
  payments: Payment[]
  /** The reading includes calls: calls that are missing did not happen. */
  reportsCalls?: boolean
}

const { monitored, monitoredForAll } = watchFlags

/**
 * The flags of the watches on each side of a transfer: of the address, or of the account that it shares.
 * Outgoing transfers concern only monitored addresses.
 */
export function watchedSides(
  { from, to, only }: Pick<Transfer, 'from' | 'to' | 'only'>,
  watches: WatchFlags,
  codec: Pick<AddressCodec, 'bytes' | 'account'>,
): { to: number; from: number } {
  const flagsOf = (address: string) => {
    const account = codec.account?.(address) ?? null
    return watches.flags(codec.bytes(address)) | (account === null ? 0 : watches.flags(codec.bytes(account)))
  }
  return {
    to: only === 'out' ? 0 : flagsOf(to),
    from: only === 'in' ? 0 : flagsOf(from) & (monitored | monitoredForAll),
  }
}

/** The transfers of a block that concern a watched address. */
export const matchBlock = (
  block: { transfers: readonly Transfer[] },
  watches: WatchFlags,
  codec: Pick<AddressCodec, 'bytes' | 'account'>,
): Transfer[] =>
  block.transfers.filter((transfer) => {
    const sides = watchedSides(transfer, watches, codec)
    return (sides.to | sides.from) !== 0
  })

type FindContext = Pick<MatchContext, 'chain' | 'codec' | 'reader' | 'watches'>

/**
 * Finds the payments of blocks that were fetched *before* the tail of the watch list was read. Unknown tokens
 * are left out unless a watch is for all: sending worthless ones costs nothing. Outcomes that the provider
 * left open are requested here, only for matching transactions.
 * @throws ProviderError
 */
export async function findPayments(ctx: FindContext, blocks: readonly Block[]): Promise<ReadBlock[]> {
  return Promise.all(
    blocks.map(async (block) => {
      const isUnread = block.packed
        ? block.packed.touches(ctx.watches)
        : block.unread?.some((address) => ctx.watches.flags(ctx.codec.bytes(address)) !== 0)
      return proven(ctx, isUnread ? await readWhole(ctx, block) : block)
    }),
  )
}

async function readWhole(ctx: FindContext, block: Block): Promise<Block> {
  const own = wholeFrom(block)
  if (own) return own
  const whole = await ctx.reader.block(block.height)
  if (whole?.id !== block.id) throw new ProviderError(`block ${block.height} changed while it was read`)
  return whole
}

/** From its own answer; null where it has to be requested, also from another node. */
function wholeFrom(block: Block): Block | null {
  try {
    return block.whole?.() ?? null
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}

/** The block's payments, without those of failed transactions. */
async function proven(ctx: FindContext, read: Block): Promise<ReadBlock> {
  const { height, id, parentId, time, source, traced, packed } = read
  const block = { height, id, parentId, time, source, traced }
  const transfers = packed ? packed.matching(ctx.watches) : read.transfers
  const assets = assetsOf(ctx.chain)
  const payments = transfers.flatMap((transfer) => {
    const sides = watchedSides(transfer, ctx.watches, ctx.codec)
    const flags = sides.to | sides.from
    if (flags === 0) return []
    const asset = assets.find(({ contract }) => contract === transfer.contract) ?? null
    return asset || (flags & monitoredForAll) !== 0 ? [{ transfer, asset }] : []
  })
  const reportsCalls = transfers.some(({ movementKey }) => isCall(movementKey))
  const open = payments.filter(({ transfer }) => transfer.unproven).map(({ transfer }) => transfer.txId)
  if (open.length === 0) return { block, payments, reportsCalls }
  const succeeded = await ctx.reader.succeeded?.(block, [...new Set(open)])
  return {
    block,
    payments: payments.filter(({ transfer }) => !transfer.unproven || succeeded?.has(transfer.txId)),
    reportsCalls,
  }
}
