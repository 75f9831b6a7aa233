import type { TransactionInstruction } from '@solana/web3.js'
import type { CallsSpec } from '../../action.ts'
import { callOf } from '../send/callOf.ts'

/** Calls that the wallet alone signs. */
export const callsOf = (
  from: string,
  instructions: readonly TransactionInstruction[],
  { spends, receives }: Pick<CallsSpec, 'spends' | 'receives'>,
): CallsSpec => ({
  kind: 'calls',
  from,
  calls: instructions.map(callOf),
  cosigners: [],
  spends,
  receives,
  gasPrice: null,
  gasLimit: null,
})
