import type { Address } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { PastBalances } from '../sending.ts'
import { multicall3Abi } from './abis.ts'
import { aggregateCalls, type ContractCall, multicallAddress } from './multicall.ts'
import { pastBalancesBy } from './pastBalances.ts'
import { quantity } from './refusals.ts'
import { hex } from './rpcTypes.ts'
import { balanceOfCall, wordOf } from './tokenCalls.ts'

/** Some 30,000 gas each at most: far below what nodes allow a call. */
const maxCalls = 200

export const ethBalanceCall = (address: string): ContractCall => ({
  to: multicallAddress,
  data: encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [address as Address] }),
})

/**
 * Balances of many addresses after one block, by one node: by Multicall3, or one by one where it is not
 * deployed. Null where the node lacks the state.
 */
export async function manyBalancesBy(
  rpc: JsonRpc,
  addresses: readonly string[],
  contracts: readonly string[],
  height: number | null,
): Promise<PastBalances[] | null> {
  const at = height ?? Number(quantity(await rpc.call('eth_blockNumber', []), 'the height of the head'))
  const found: PastBalances[] = []
  const perCall = Math.max(1, Math.floor(maxCalls / (1 + contracts.length)))
  for (let from = 0; from < addresses.length; from += perCall) {
    const part = addresses.slice(from, from + perCall)
    const balances =
      (await together(rpc, part, contracts, hex(at))) ?? (await oneByOne(rpc, part, contracts, at))
    if (balances === null) return null
    found.push(...balances)
  }
  return found
}

async function together(
  rpc: JsonRpc,
  addresses: readonly string[],
  contracts: readonly string[],
  block: string,
): Promise<PastBalances[] | null> {
  const calls = addresses.flatMap((address) => [
    ethBalanceCall(address),
    ...contracts.map((to) => ({ to, data: balanceOfCall(address) })),
  ])
  const answers = await aggregateCalls(rpc, calls, block)
  if (answers === null) return null
  const of = 1 + contracts.length
  return addresses.map((_, index) => {
    const [native, ...tokens] = answers.slice(index * of, (index + 1) * of)
    // A contract that is not deployed at that block answers nothing: the address had zero of it.
    return {
      native: quantity(native, 'a balance'),
      tokens: tokens.map((answer) => (answer === '0x' ? 0n : wordOf(answer))),
    }
  })
}

async function oneByOne(
  rpc: JsonRpc,
  addresses: readonly string[],
  contracts: readonly string[],
  at: number,
): Promise<PastBalances[] | null> {
  const found: PastBalances[] = []
  for (const address of addresses) {
    const balances = await pastBalancesBy(rpc, address, contracts, at)
    if (balances === null) return null
    found.push(balances)
  }
  return found
}
