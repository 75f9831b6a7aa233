import type { Memo } from '../chains/chain.ts'
import { addressCodec, displayContract } from '../chains/codecs.ts'
import type { Chain } from '../chains/registry.ts'
import type { NewEvent } from '../events/recordEvents.ts'
import { formatUnits } from '../money/amount.ts'

/** A detected transfer from the view of the watched address. Addresses and contract in normal form. */
export interface DetectedTransfer {
  detectionId: string
  direction: 'in' | 'out' | 'self'
  /** The token's contract; null for the native coin. */
  contract: string | null
  symbol: string
  /** Null if unknown: the event then shows base units. */
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
  /** Required confirmations; null: the chain must report the block as finalized. */
  depth: number | null
}

export type TransactionEventType = 'transaction.detected' | 'transaction.confirmed' | 'transaction.reverted'

/**
 * Builds the event of a detection, the same for every kind of watch.
 * @param address the watched address, in display form
 * @param own further fields of the kind of watch
 */
export function transactionEvent(
  type: TransactionEventType,
  chain: Pick<Chain, 'name' | 'family'>,
  address: string,
  detected: DetectedTransfer,
  own: object,
): NewEvent {
  const { display } = addressCodec(chain.family)
  const { contract, symbol, decimals, txId, memo } = detected
  const about = {
    chain: chain.name,
    address,
    symbol,
    amount: formatUnits(detected.amount, decimals ?? 0),
    txId,
  }
  return {
    type,
    about,
    data: {
      id: detected.detectionId,
      chain: chain.name,
      address,
      direction: detected.direction,
      symbol,
      contract: contract && displayContract(chain.family, contract),
      amount: about.amount,
      baseUnits: detected.amount.toString(),
      decimals,
      from: display(detected.from),
      to: display(detected.to),
      txId,
      movementKey: detected.movementKey,
      blockHeight: detected.blockHeight,
      blockTime: detected.blockTime.toISOString(),
      requiredConfirmations: detected.depth,
      ...(memo && { memo: memo.value, memoType: memo.type }),
      ...own,
    },
  }
}
