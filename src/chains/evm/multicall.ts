import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { ProviderError } from '../chain.ts'
import { type JsonRpc, RpcError } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import { multicall3Abi } from './abis.ts'

/** Where Multicall3 stands on every chain that has it (multicall3.com). */
export const multicallAddress: Address = '0xca11bde05977b3631167028862be2a173976ca11'

export interface ContractCall {
  to: string
  data: Hex
}

/**
 * All calls in one, by Multicall3. What each answered in hex; null where it failed. One that takes all gas, or answers without end, may
 * make others fail, or all.
 * @returns null where there is no Multicall3, or the node did not carry the whole out
 * @throws ProviderError
 */
export async function callTogether(rpc: JsonRpc, calls: readonly ContractCall[]): Promise<(Hex | null)[] | null> {
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(({ to, data }) => ({ target: to as Address, allowFailure: true, callData: data }))],
  })
  const answered = await refusedAsNull(rpc.call('eth_call', [{ to: multicallAddress, data }, 'latest']))
  if (answered === null || answered === '0x') return null
  const results = sound(() => decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answered as Hex }))
  if (results.length !== calls.length) throw new ProviderError(`${rpc.name}: ${results.length} answers to ${calls.length} calls`)
  return results.map(({ success, returnData }) => (success ? returnData : null))
}

/** 500,000: far more than telling a balance or a name takes, and too little to answer without end. */
const gasForOne = '0x7a120'

/**
 * Each call by itself, with little gas, so that none can spoil another. What each answered in hex; null where it failed.
 * @throws ProviderError
 */
export async function callAlone(rpc: JsonRpc, calls: readonly ContractCall[]): Promise<(string | null)[]> {
  const params = calls.map((call) => [{ ...call, gas: gasForOne }, 'latest'])
  // Where one of them failed, which one is not told.
  const answers = (await refusedAsNull(rpc.callMany('eth_call', params))) as unknown[] | null
  const each = answers ?? (await Promise.all(params.map((one) => refusedAsNull(rpc.call('eth_call', one)))))
  return each.map((answer) => (typeof answer === 'string' ? answer : null))
}

/** Nodes refuse what runs too long or answers too much in many words: whatever they say, it is about this call. */
const refusedAsNull = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => {
    if (error instanceof RpcError) return null
    throw error
  })
