import type { Address, Hex } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import { erc20Abi } from './abis.ts'

/** Call data of ERC-20 functions, and decoding of their answers. */

export const transferCall = (to: string, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, amount] })

export const balanceOfCall = (owner: string): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner as Address] })

export const decimalsCall: Hex = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
export const symbolCall: Hex = encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' })
export const totalSupplyCall: Hex = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' })

/**
 * TetherToken's own functions: its fee for transfers, in hundredths of a per cent, and the maximum in base
 * units.
 */
const feeSettingsAbi = parseAbi([
  'function basisPointsRate() view returns (uint256)',
  'function maximumFee() view returns (uint256)',
])
export const feeRateCall: Hex = encodeFunctionData({ abi: feeSettingsAbi, functionName: 'basisPointsRate' })
export const maxFeeCall: Hex = encodeFunctionData({ abi: feeSettingsAbi, functionName: 'maximumFee' })

/** The number in an answer of one 32-byte word; null for any other answer. */
export const wordOf = (answered: unknown): bigint | null =>
  typeof answered === 'string' && /^0x[0-9a-f]{64}$/i.test(answered) ? BigInt(answered) : null
