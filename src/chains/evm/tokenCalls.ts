import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { erc20Abi } from './abis.ts'

/** The calls of a token that this program makes, as data, and what they answer. */

export const transferCall = (to: string, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, amount] })

export const balanceOfCall = (owner: string): Hex => encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner as Address] })

export const decimalsCall: Hex = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
export const symbolCall: Hex = encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' })
export const totalSupplyCall: Hex = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' })

/** The number that a call answered, which is one word of 32 bytes. Null where it answered anything else. */
export const wordOf = (answered: unknown): bigint | null =>
  typeof answered === 'string' && /^0x[0-9a-f]{64}$/i.test(answered) ? BigInt(answered) : null
