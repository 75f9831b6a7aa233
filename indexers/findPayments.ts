import { type AddressCodec, type Block, ProviderError, type Transfer } from '../src/chains/chain.ts'
import { type Asset, assetsOf } from '../src/chains/registry.ts'
import type { MatchContext } from './context.ts'

/** A transfer of something that Cowry knows by name, to a watched address. */
export interface Payment {
  transfer: Transfer
  asset: Asset
}

/** A block and what it pays to watched addresses. */
export interface ReadBlock {
  block: Omit<Block, 'transfers'>
  payments: Payment[]
}

/** The transfers of a block that go to a watched address. */
export function matchBlock(
  block: { transfers: readonly Transfer[] },
  watches: { has(address: Uint8Array): boolean },
  codec: Pick<AddressCodec, 'bytes'>,
): Transfer[] {
  return block.transfers.filter((transfer) => watches.has(codec.bytes(transfer.to)))
}

type FindContext = Pick<MatchContext, 'chain' | 'codec' | 'reader' | 'watches'>

/**
 * Finds the payments of blocks that were fetched *before* the tail of the watch list was read. Tokens without a name are left
 * out: to send those to an address costs their maker nothing. What the provider left open is asked for here, for the few
 * blocks that matter.
 * @throws ProviderError
 */
export async function findPayments(ctx: FindContext, blocks: readonly Block[]): Promise<ReadBlock[]> {
  return Promise.all(
    blocks.map(async (block) => {
      const payments = paymentsIn(ctx, block)
      return payments.length === 0 ? withPayments(block, []) : proven(ctx, block, payments)
    }),
  )
}

const withPayments = ({ transfers: _, ...block }: Block, payments: Payment[]): ReadBlock => ({ block, payments })

function paymentsIn(ctx: FindContext, block: Block): Payment[] {
  const assets = assetsOf(ctx.chain)
  return matchBlock(block, ctx.watches, ctx.codec).flatMap((transfer) => {
    const asset = assets.find(({ contract }) => contract === transfer.contract)
    return asset ? [{ transfer, asset }] : []
  })
}

/** A block that was read from its logs alone is read again by itself: only then is proven what the logs say. */
async function proven(ctx: FindContext, block: Block, payments: Payment[]): Promise<ReadBlock> {
  if (block.unproven) {
    const whole = await ctx.reader.block(block.height)
    if (whole?.id !== block.id) throw new ProviderError(`block ${block.height} is not what it was a moment ago`)
    return proven(ctx, whole, paymentsIn(ctx, whole))
  }
  const open = payments.filter(({ transfer }) => transfer.unproven).map(({ transfer }) => transfer.txId)
  if (open.length === 0) return withPayments(block, payments)
  const succeeded = await ctx.reader.succeeded(block, [...new Set(open)])
  return withPayments(
    block,
    payments.filter(({ transfer }) => !transfer.unproven || succeeded.has(transfer.txId)),
  )
}
