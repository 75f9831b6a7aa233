import type { Address, Hex, TransactionSerializableEIP1559 } from 'viem'
import { serializeTransaction } from 'viem/utils'
import type { TransferSpec } from '../action.ts'
import type { Chain } from '../registry.ts'
import type { Terms } from '../sending.ts'
import { transferCall } from './tokenCalls.ts'

/** Fee terms, from nodes. Prices and fees in wei. `l1Fee`: the maximum that a rollup adds for its data; 0 on other chains. */
export interface EvmTerms {
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  l1Fee: bigint
}

export interface EvmSignature {
  r: bigint
  s: bigint
  /** The parity of the curve point behind `r`: 0 or 1. */
  recovery: number
}

/** The unsigned transaction. @throws Error where the nonce is missing or out of range */
export function transactionOf(
  chain: Pick<Chain, 'network'>,
  { token, to, amount }: Pick<TransferSpec, 'token' | 'to' | 'amount'>,
  { gas, maxFeePerGas, maxPriorityFeePerGas }: EvmTerms,
  nonce: bigint | null,
): TransactionSerializableEIP1559 {
  if (nonce === null || nonce < 0n || nonce > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error('the nonce is missing or out of range')
  const call = token
    ? { to: token.contract as Address, value: 0n, data: transferCall(to, amount) }
    : { to: to as Address, value: amount, data: '0x' as const }
  return { type: 'eip1559', chainId: Number(chain.network), nonce: Number(nonce), gas, maxFeePerGas, maxPriorityFeePerGas, ...call }
}

/** The serialised signed transaction. */
export const signedHex = (transaction: TransactionSerializableEIP1559, { r, s, recovery }: EvmSignature): Hex =>
  serializeTransaction(transaction, { r: word(r), s: word(s), yParity: recovery })

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

export const writeTerms = ({ gas, maxFeePerGas, maxPriorityFeePerGas, l1Fee }: EvmTerms): Terms => ({
  gas: String(gas),
  maxFeePerGas: String(maxFeePerGas),
  maxPriorityFeePerGas: String(maxPriorityFeePerGas),
  l1Fee: String(l1Fee),
})

/** @throws Error where the terms are not EVM terms */
export function readTerms(terms: Terms): EvmTerms {
  const number = (name: keyof EvmTerms) => {
    const text = terms[name]
    if (typeof text !== 'string' || !/^\d{1,78}$/.test(text)) throw new Error(`the terms have no valid ${name}`)
    return BigInt(text)
  }
  return { gas: number('gas'), maxFeePerGas: number('maxFeePerGas'), maxPriorityFeePerGas: number('maxPriorityFeePerGas'), l1Fee: number('l1Fee') }
}
