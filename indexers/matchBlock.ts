import type { AddressCodec, Block, Transfer } from '../src/chains/chain.ts'

/** The transfers of a block that go to a watched address. */
export function matchBlock(block: Block, watches: { has(address: Uint8Array): boolean }, codec: Pick<AddressCodec, 'bytes'>): Transfer[] {
  return block.transfers.filter((transfer) => watches.has(codec.bytes(transfer.to)))
}
