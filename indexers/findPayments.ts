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
  block: Omit<Block, 'transfers' | 'unread'>
  payments: Payment[]
}

/** The transfers of a block that go to a watched address, or to the account that it shares with others. */
export function matchBlock(
  block: { transfers: readonly Transfer[] },
  watches: { has(address: Uint8Array): boolean },
  codec: Pick<AddressCodec, 'bytes' | 'account'>,
): Transfer[] {
  const isWatched = (address: string) => watches.has(codec.bytes(address))
  return block.transfers.filter(({ to }) => {
    if (isWatched(to)) return true
    const account = codec.account?.(to) ?? null
    return account !== null && isWatched(account)
  })
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
      const isUnread = block.unread?.some((address) => ctx.watches.has(ctx.codec.bytes(address)))
      return proven(ctx, isUnread ? await readWhole(ctx, block) : block)
    }),
  )
}

async function readWhole(ctx: FindContext, block: Block): Promise<Block> {
  const whole = await ctx.reader.block(block.height)
  if (whole?.id !== block.id) throw new ProviderError(`block ${block.height} is not what it was a moment ago`)
  return whole
}

/** The block's payments, without those of transactions that turn out to have failed. */
async function proven(ctx: FindContext, { transfers, unread: _, ...block }: Block): Promise<ReadBlock> {
  const assets = assetsOf(ctx.chain)
  const payments = matchBlock({ transfers }, ctx.watches, ctx.codec).flatMap((transfer) => {
    const asset = assets.find(({ contract }) => contract === transfer.contract)
    return asset ? [{ transfer, asset }] : []
  })
  const open = payments.filter(({ transfer }) => transfer.unproven).map(({ transfer }) => transfer.txId)
  if (open.length === 0) return { block, payments }
  const succeeded = await ctx.reader.succeeded?.(block, [...new Set(open)])
  return { block, payments: payments.filter(({ transfer }) => !transfer.unproven || succeeded?.has(transfer.txId)) }
}
