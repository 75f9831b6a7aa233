import { formatUnits } from '../chains/amount.ts'
import type { Memo } from '../chains/chain.ts'
import { addressCodec, displayContract } from '../chains/codecs.ts'
import type { Chain } from '../chains/registry.ts'
import type { NewEvent } from '../webhooks/recordEvents.ts'

/** A movement as one who watches it sees it. Addresses and contract in normal form. */
export interface Movement {
  detectionId: string
  direction: 'in' | 'out' | 'self'
  /** The token's contract; null for the native coin. */
  contract: string | null
  symbol: string
  /** Null where nobody knows them: the amount is then told in base units. */
  decimals: number | null
  /** Base units. */
  amount: bigint
  from: string
  to: string
  txId: string
  movementKey: string
  memo: Memo | null
  blockHeight: number
  blockTime: Date
  /** Confirmations asked for; null: the chain must call the block finalized. */
  depth: number | null
}

export type TransactionEventType = 'transaction.detected' | 'transaction.confirmed' | 'transaction.reverted'

/**
 * What is told of a movement, the same whoever watches.
 * @param address the one that is watched, as it is shown
 * @param own what is told besides, of whoever watches
 */
export function transactionEvent(
  type: TransactionEventType,
  chain: Pick<Chain, 'name' | 'family'>,
  address: string,
  movement: Movement,
  own: object,
): NewEvent {
  const { display } = addressCodec(chain.family)
  const { contract, symbol, decimals, txId, memo } = movement
  const about = { chain: chain.name, address, symbol, amount: formatUnits(movement.amount, decimals ?? 0), txId }
  return {
    type,
    about,
    data: {
      id: movement.detectionId,
      chain: chain.name,
      address,
      direction: movement.direction,
      symbol,
      contract: contract && displayContract(chain.family, contract),
      amount: about.amount,
      baseUnits: movement.amount.toString(),
      decimals,
      from: display(movement.from),
      to: display(movement.to),
      txId,
      movementKey: movement.movementKey,
      blockHeight: movement.blockHeight,
      blockTime: movement.blockTime.toISOString(),
      requiredConfirmations: movement.depth,
      ...(memo && { memo: memo.value, memoType: memo.type }),
      ...own,
    },
  }
}
