import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { ProviderError } from '../chain.ts'
import { type JsonRpc, RpcError } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import { multicall3Abi } from './abis.ts'

/** The address of Multicall3 on every chain that has it (multicall3.com). */
export const multicallAddress: Address = '0xca11bde05977b3631167028862be2a173976ca11'

export interface ContractCall {
  to: string
  data: Hex
}

/**
 * Makes all calls in one, by Multicall3. A call that uses all gas, or returns unbounded data, may make other
 * calls fail.
 * @param block `latest`, or a height in hex
 * @returns the answer of each call in hex, null for a failed call; null where there is no Multicall3 or the
 * node refused the whole call
 * @throws ProviderError
 */
export async function aggregateCalls(
  rpc: JsonRpc,
  calls: readonly ContractCall[],
  block = 'latest',
): Promise<(Hex | null)[] | null> {
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(({ to, data }) => ({ target: to as Address, allowFailure: true, callData: data }))],
  })
  const answered = await refusedAsNull(rpc.call('eth_call', [{ to: multicallAddress, data }, block]))
  if (answered === null || answered === '0x') return null
  const results = sound(() =>
    decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answered as Hex }),
  )
  if (results.length !== calls.length)
    throw new ProviderError(`${rpc.name}: ${results.length} answers to ${calls.length} calls`)
  return results.map(({ success, returnData }) => (success ? returnData : null))
}

/** 500,000: far more than a balance or a symbol needs, and too little to return unbounded data. */
const gasForOne = '0x7a120'

/**
 * Makes each call by itself with limited gas, so that one call cannot make another fail.
 * @returns the answer of each call in hex; null for a failed call
 * @throws ProviderError
 */
export async function callEach(rpc: JsonRpc, calls: readonly ContractCall[]): Promise<(string | null)[]> {
  const params = calls.map((call) => [{ ...call, gas: gasForOne }, 'latest'])
  // An error of the batch does not name the call that failed: repeat them one by one.
  const answers = (await refusedAsNull(rpc.callMany('eth_call', params))) as unknown[] | null
  const each = answers ?? (await Promise.all(params.map((one) => refusedAsNull(rpc.call('eth_call', one)))))
  return each.map((answer) => (typeof answer === 'string' ? answer : null))
}

/**
 * Nodes have many messages for a call that runs too long or returns too much: any refusal is about this call.
 */
const refusedAsNull = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => {
    if (error instanceof RpcError) return null
    throw error
  })
