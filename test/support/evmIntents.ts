import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { TransferSpec } from '../../src/chains/action.ts'

export const keyOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
export const addressOf = (key: Hex): string => privateKeyToAccount(key).address.toLowerCase()

export const intentOf = (
  transfer: Partial<TransferSpec> & Pick<TransferSpec, 'from' | 'to'>,
): TransferSpec => ({
  kind: 'transfer',
  token: null,
  amount: 1n,
  memo: null,
  gasPrice: null,
  gasLimit: null,
  ...transfer,
})
