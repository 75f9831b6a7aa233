import { type Block, ProviderError, type Transfer } from './chain.ts'

/** Ids, addresses and keys are shorter on every chain. Longer ones do not fit into an index of Postgres. */
const maxText = 500
const maxAmount = 2n ** 256n
const maxMs = Date.UTC(9999, 0)

/**
 * A block whose values have the types and bounds of the columns that they are stored in. A node's JSON can
 * have a list in place of a text, or a zero byte, which Postgres refuses: the block would stop the indexer
 * instead of being read from another provider.
 * @throws ProviderError
 */
export function storable<B extends Pick<Block, 'transfers' | 'unread'>>(block: B): B {
  const keys = new Set<string>()
  for (const transfer of block.transfers) {
    requireStorable(transfer)
    keys.add(`${transfer.txId} ${transfer.movementKey}`)
  }
  // They would be one row, and the statement that writes it twice would fail again and again.
  if (keys.size < block.transfers.length) throw new ProviderError('a transfer is listed twice')
  if (!(block.unread ?? []).every(isText)) throw new ProviderError('an address that is not text')
  return block
}

/** @throws ProviderError */
export const storableTransfers = (transfers: Transfer[]): Transfer[] => storable({ transfers }).transfers

/** The time of a block. @throws ProviderError */
export function timeOf(ms: number): Date {
  if (!(ms >= 0 && ms < maxMs)) throw new ProviderError('a block without a valid time')
  return new Date(ms)
}

function requireStorable({ txId, movementKey, contract, from, to, amount, memo }: Transfer): void {
  if (
    !isText(txId) ||
    !isText(movementKey) ||
    !isText(from) ||
    !isText(to) ||
    !(contract === null || isText(contract))
  )
    throw new ProviderError('a transfer whose ids or addresses are not text')
  if (typeof amount !== 'bigint' || amount < 0n || amount >= maxAmount)
    throw new ProviderError('a transfer without a valid amount')
  if (memo && (typeof memo.value !== 'string' || memo.value.includes('\0')))
    throw new ProviderError('a memo that is not text')
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= maxText && !value.includes('\0')
