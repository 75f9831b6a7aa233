import { type AddressCodec, type Block, ProviderError, type Transfer } from '../src/chains/chain.ts'
import { isCall } from '../src/chains/internalMovements.ts'
import { type Asset, assetsOf } from '../src/chains/registry.ts'
import type { MatchContext } from './context.ts'
import { watchFlags } from './watchList.ts'

/** A transfer to a watched address, or from one that is monitored. */
export interface Payment {
  transfer: Transfer
  /** Null where Cowry does not know the token by name. */
  asset: Asset | null
}

/** A block and what may concern watched addresses in it: the database knows which watches apply. */
export interface ReadBlock {
  block: Omit<Block, 'transfers' | 'unread'>
  payments: Payment[]
  /** The reading has what some call moved: calls that are not in it did not happen. */
  reportsCalls?: boolean
}

const { monitored, monitoredForAll } = watchFlags

/**
 * Of a transfer's two sides, the flags of those who watch it there: of an address, or of the account that it shares with others. What
 * leaves an address concerns only those who monitor it.
 */
export function watchedSides(
  { from, to, only }: Pick<Transfer, 'from' | 'to' | 'only'>,
  watches: { flags(address: Uint8Array): number },
  codec: Pick<AddressCodec, 'bytes' | 'account'>,
): { to: number; from: number } {
  const flagsOf = (address: string) => {
    const account = codec.account?.(address) ?? null
    return watches.flags(codec.bytes(address)) | (account === null ? 0 : watches.flags(codec.bytes(account)))
  }
  return { to: only === 'out' ? 0 : flagsOf(to), from: only === 'in' ? 0 : flagsOf(from) & (monitored | monitoredForAll) }
}

/** The transfers of a block that concern a watched address. */
export const matchBlock = (
  block: { transfers: readonly Transfer[] },
  watches: { flags(address: Uint8Array): number },
  codec: Pick<AddressCodec, 'bytes' | 'account'>,
): Transfer[] =>
  block.transfers.filter((transfer) => {
    const sides = watchedSides(transfer, watches, codec)
    return (sides.to | sides.from) !== 0
  })

type FindContext = Pick<MatchContext, 'chain' | 'codec' | 'reader' | 'watches'>

/**
 * Finds the payments of blocks that were fetched *before* the tail of the watch list was read. Tokens without a name are left
 * out unless somebody asked for them: to send those to an address costs their maker nothing. What the provider left open is asked for
 * here, for the few blocks that matter.
 * @throws ProviderError
 */
export async function findPayments(ctx: FindContext, blocks: readonly Block[]): Promise<ReadBlock[]> {
  return Promise.all(
    blocks.map(async (block) => {
      const isUnread = block.unread?.some((address) => ctx.watches.flags(ctx.codec.bytes(address)) !== 0)
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
  return { block, payments: payments.filter(({ transfer }) => !transfer.unproven || succeeded?.has(transfer.txId)), reportsCalls }
}
