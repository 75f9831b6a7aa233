import type { Address, Hex, TransactionSerializableEIP1559 } from 'viem'
import { serializeTransaction } from 'viem/utils'
import type { Chain } from '../registry.ts'
import type { Terms, TransferIntent } from '../sending.ts'
import { transferCall } from './tokenCalls.ts'

/** What an EVM transfer needs to be asked for. `l1Fee`: what a rollup charges besides, at most; 0 where there is none. Wei. */
export interface EvmTerms {
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  l1Fee: bigint
}

export interface EvmSignature {
  r: bigint
  s: bigint
  /** Which of the points that `r` may stand for: 0 or 1. */
  recovery: number
}

/** The unsigned transaction. @throws Error where there is no sequence, or none that a transaction can have */
export function transactionOf(
  chain: Pick<Chain, 'network'>,
  { token, to, amount }: Pick<TransferIntent, 'token' | 'to' | 'amount'>,
  { gas, maxFeePerGas, maxPriorityFeePerGas }: EvmTerms,
  sequence: bigint | null,
): TransactionSerializableEIP1559 {
  if (sequence === null || sequence < 0n || sequence > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error('a transfer needs its nonce')
  const call = token
    ? { to: token.contract as Address, value: 0n, data: transferCall(to, amount) }
    : { to: to as Address, value: amount, data: '0x' as const }
  return { type: 'eip1559', chainId: Number(chain.network), nonce: Number(sequence), gas, maxFeePerGas, maxPriorityFeePerGas, ...call }
}

/** The transaction with its signature, serialised. */
export const signedHex = (transaction: TransactionSerializableEIP1559, { r, s, recovery }: EvmSignature): Hex =>
  serializeTransaction(transaction, { r: word(r), s: word(s), yParity: recovery })

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

export const writeTerms = ({ gas, maxFeePerGas, maxPriorityFeePerGas, l1Fee }: EvmTerms): Terms => ({
  gas: String(gas),
  maxFeePerGas: String(maxFeePerGas),
  maxPriorityFeePerGas: String(maxPriorityFeePerGas),
  l1Fee: String(l1Fee),
})

/** @throws Error where these are terms of another family, or none */
export function readTerms(terms: Terms): EvmTerms {
  const number = (name: keyof EvmTerms) => {
    const text = terms[name]
    if (typeof text !== 'string' || !/^\d{1,78}$/.test(text)) throw new Error(`the terms have no ${name}`)
    return BigInt(text)
  }
  return { gas: number('gas'), maxFeePerGas: number('maxFeePerGas'), maxPriorityFeePerGas: number('maxPriorityFeePerGas'), l1Fee: number('l1Fee') }
}
