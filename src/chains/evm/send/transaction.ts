import type { Address, Hex, TransactionSerializableEIP1559 } from 'viem'
import { serializeTransaction } from 'viem/utils'
import type { Action, CallsSpec } from '../../action.ts'
import type { Chain } from '../../registry.ts'
import { ActionRefusedError, type Terms } from '../../sending.ts'
import { transferCall } from '../tokenCalls.ts'

/**
 * Fee terms, from nodes. Prices and fees in wei. `l1Fee`: the maximum that a rollup adds for its data and its
 * operator; 0 on other chains.
 */
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
  action: Action,
  { gas, maxFeePerGas, maxPriorityFeePerGas }: EvmTerms,
  nonce: bigint | null,
): TransactionSerializableEIP1559 {
  if (nonce === null || nonce < 0n || nonce > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Error('the nonce is missing or out of range')
  return {
    type: 'eip1559',
    chainId: Number(chain.network),
    nonce: Number(nonce),
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    ...callOf(action),
  }
}

/** The one call of a transaction. @throws ActionRefusedError */
export function callOf(action: Action): { to: Address; value: bigint; data: Hex } {
  if (action.kind === 'calls') return onlyCall(action)
  const { token, to, amount } = action
  return token
    ? { to: token.contract as Address, value: 0n, data: transferCall(to, amount) }
    : { to: to as Address, value: amount, data: '0x' }
}

function onlyCall({ calls, cosigners }: CallsSpec): { to: Address; value: bigint; data: Hex } {
  const [call, ...more] = calls
  if (!call || more.length > 0)
    throw new ActionRefusedError('unsupported_action', 'A transaction of an EVM chain has one call')
  if (cosigners.length > 0)
    throw new ActionRefusedError('unsupported_action', 'A transaction of an EVM chain has one signature')
  const { to, value, data, accounts } = call
  if (accounts.length > 0 || !/^0x[0-9a-f]{40}$/.test(to) || !/^0x([0-9a-f]{2})*$/.test(data))
    throw new ActionRefusedError('unsupported_action', 'The call is not one of an EVM chain')
  return { to: to as Address, value, data: data as Hex }
}

/** The serialised signed transaction. */
export const signedHex = (
  transaction: TransactionSerializableEIP1559,
  { r, s, recovery }: EvmSignature,
): Hex => serializeTransaction(transaction, { r: word(r), s: word(s), yParity: recovery })

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
    if (typeof text !== 'string' || !/^\d{1,78}$/.test(text))
      throw new Error(`the terms have no valid ${name}`)
    return BigInt(text)
  }
  return {
    gas: number('gas'),
    maxFeePerGas: number('maxFeePerGas'),
    maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
    l1Fee: number('l1Fee'),
  }
}
