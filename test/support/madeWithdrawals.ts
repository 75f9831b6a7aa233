import type { RpcWithdrawal } from '../../src/chains/evm/read/withdrawals.ts'
import { account, hexOf, type MadeBlock, sealed } from './madeNode.ts'
import { rlp, rlpNumber, slowRoot } from './slowTrie.ts'

/** A validator's withdrawal: an address, and an amount in gwei. */
export type MadeWithdrawal = readonly [to: string, gwei: bigint]

/**
 * The same block with withdrawals, as since the Shanghai fork (EIP-4895). @param first the index of the first
 * of them
 */
export function withWithdrawals(
  { block, receipts }: MadeBlock,
  made: readonly MadeWithdrawal[],
  first = 7,
): MadeBlock {
  const withdrawals = made.map(
    ([address, gwei], index): RpcWithdrawal => ({
      index: hexOf(first + index),
      validatorIndex: hexOf(1000 + index),
      address,
      amount: hexOf(gwei),
    }),
  )
  return sealed({
    block: Object.assign({ ...block }, { withdrawals, withdrawalsRoot: rootOf(withdrawals) }),
    receipts,
  })
}

export const rootOf = (withdrawals: readonly RpcWithdrawal[]): string =>
  slowRoot(
    withdrawals.map(({ index, validatorIndex, address, amount }) =>
      rlp([rlpNumber(index), rlpNumber(validatorIndex), address as `0x${string}`, rlpNumber(amount)]),
    ),
  )

export const [validator, another] = [account(31), account(32)]
