import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { Chain } from '../../registry.ts'
import { quantity, tryCall } from '../refusals.ts'
import { wordOf } from '../tokenCalls.ts'
import { gasPriceOracle } from './gasPriceOracle.ts'

/**
 * The operator fee of an OP chain: a price of gas and a constant, in wei. Zero on most chains, where its
 * operator has not set one.
 */
export interface OperatorFee {
  /** For a million units of gas. */
  perMillion: bigint
  constant: bigint
}

const million = 1_000_000n
const oracleAbi = parseAbi(['function getOperatorFee(uint256 gasUsed) view returns (uint256)'])

/**
 * The present fee, from the chain's oracle; zero on other chains, and before the Isthmus fork. Two answers
 * show both numbers, under the formula of either fork: the price of a million units is a whole number of wei
 * in both.
 * @throws ProviderError
 */
export async function operatorFeeNow(rpc: JsonRpc, chain: Pick<Chain, 'jovianTime'>): Promise<OperatorFee> {
  if (chain.jovianTime === undefined) return { perMillion: 0n, constant: 0n }
  const [constant, ofMillion] = await Promise.all([0n, million].map((gas) => feeFor(rpc, gas)))
  if (constant == null || ofMillion == null || ofMillion < constant) return { perMillion: 0n, constant: 0n }
  return { perMillion: ofMillion - constant, constant }
}

async function feeFor(rpc: JsonRpc, gas: bigint): Promise<bigint | null> {
  const data = encodeFunctionData({ abi: oracleAbi, args: [gas] })
  const tried = await tryCall(() => rpc.call('eth_call', [{ to: gasPriceOracle, data }, 'latest']))
  return 'answered' in tried ? wordOf(tried.answered) : null
}

/**
 * Rounded down, as the chain does it. The chain reserves it for the gas limit, and returns what the gas used
 * does not take.
 */
export const operatorFeeOf = ({ perMillion, constant }: OperatorFee, gas: bigint): bigint =>
  (gas * perMillion) / million + constant

interface FeeFields {
  /** Since Isthmus, where one of them is not zero. */
  operatorFeeScalar?: string | null
  operatorFeeConstant?: string | null
}

/** Whether a receipt shows an operator fee. */
export const hasOperatorFee = ({ operatorFeeScalar, operatorFeeConstant }: FeeFields): boolean =>
  operatorFeeScalar != null || operatorFeeConstant != null

/**
 * The fee that a transaction has paid (OP specs, "Isthmus" and "Jovian", "Operator fee").
 * @param time of its block, in unix seconds
 */
export function operatorFeePaid(
  { jovianTime }: Pick<Chain, 'jovianTime'>,
  receipt: FeeFields,
  gasUsed: bigint,
  time: number,
): bigint {
  const [scalar, constant] = [receipt.operatorFeeScalar, receipt.operatorFeeConstant].map((each) =>
    quantity(each ?? '0x0', 'an operator fee'),
  )
  const isJovian = time >= (jovianTime ?? 0)
  return operatorFeeOf(
    { perMillion: (scalar ?? 0n) * (isJovian ? 100n * million : 1n), constant: constant ?? 0n },
    gasUsed,
  )
}
