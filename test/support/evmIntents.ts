import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { TransferIntent } from '../../src/chains/sending.ts'

export const keyOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
export const addressOf = (key: Hex): string => privateKeyToAccount(key).address.toLowerCase()

export const intentOf = (intent: Partial<TransferIntent> & Pick<TransferIntent, 'from' | 'to'>): TransferIntent => ({
  token: null,
  amount: 1n,
  memo: null,
  gasPrice: null,
  gasLimit: null,
  ...intent,
})
