import type { Address } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import { createRemembered, type Remembered } from '../remembered.ts'
import type { AddressBalances, BalanceReader, TokenBalance } from '../sending.ts'
import { multicall3Abi } from './abis.ts'
import { type ContractCall, callAlone, callTogether, multicallAddress } from './multicall.ts'
import { quantity } from './refusals.ts'
import { type Metadata, notAToken, type TokenAnswers, tokenBalance } from './tokenAnswers.ts'
import { balanceOfCall, decimalsCall, symbolCall } from './tokenCalls.ts'

/** What tokens say of themselves is read once; so many are remembered. */
const maxRemembered = 1000

/**
 * Balances by one call of Multicall3. A contract whose answers are not those of a sound token is asked again by itself: it may have been
 * another one that took all gas.
 */
export function evmBalanceReader({ providers }: { providers: Providers<JsonRpc> }): BalanceReader {
  const remembered = createRemembered<Metadata>(maxRemembered)

  function remember({ contract, symbol, decimals }: TokenBalance): void {
    if (symbol !== null && decimals !== null) remembered.keep(contract, { symbol, decimals })
  }

  return {
    async balances(address, contracts) {
      const found = await providers.ask((rpc) => balancesBy(rpc, remembered, address, contracts))
      if (!found) throw new ProviderError('no provider could tell the balances')
      for (const token of found.tokens) remember(token)
      return found
    },
  }
}

async function balancesBy(rpc: JsonRpc, remembered: Remembered<Metadata>, address: string, contracts: readonly string[]): Promise<AddressBalances> {
  const [nativeCall, calls] = [ethBalanceCall(address), contracts.map((contract) => callsOf(remembered, address, contract))]
  const answers = contracts.length === 0 ? null : await callTogether(rpc, [nativeCall, ...calls.flat()])
  const native = answers?.[0] ?? (await rpc.call('eth_getBalance', [address, 'latest']))
  const tokens = tokensOf(remembered, contracts, calls, answers?.slice(1) ?? [])
  const doubtful = contracts.filter((_, index) => tokens[index]?.problem !== null)
  const alone = await balancesAlone(rpc, remembered, address, doubtful)
  return {
    native: quantity(native, 'a balance'),
    tokens: tokens.map((token) => alone.get(token.contract) ?? token),
  }
}

const ethBalanceCall = (address: string): ContractCall => ({
  to: multicallAddress,
  data: encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [address as Address] }),
})

const callsOf = (remembered: Remembered<Metadata>, address: string, contract: string): ContractCall[] =>
  [balanceOfCall(address), ...(remembered.has(contract) ? [] : [decimalsCall, symbolCall])].map((data) => ({ to: contract, data }))

/** @param answers to the calls, in their order; missing ones count as failed */
function tokensOf(
  remembered: Remembered<Metadata>,
  contracts: readonly string[],
  calls: readonly (readonly ContractCall[])[],
  answers: readonly (string | null)[],
): TokenBalance[] {
  let next = 0
  return contracts.map((contract, index) => {
    const [balance = null, decimals = null, symbol = null] = answers.slice(next, next + (calls[index]?.length ?? 0))
    next += calls[index]?.length ?? 0
    const said: TokenAnswers = { balance, decimals, symbol, metadata: remembered.get(contract) }
    return tokenBalance(contract, said)
  })
}

/** Each contract by itself, and whether it is one. */
async function balancesAlone(
  rpc: JsonRpc,
  remembered: Remembered<Metadata>,
  address: string,
  contracts: readonly string[],
): Promise<Map<string, TokenBalance>> {
  const codes = await rpc.callMany(
    'eth_getCode',
    contracts.map((contract) => [contract, 'latest']),
  )
  const coded = contracts.filter((_, index) => codes[index] !== '0x')
  const calls = coded.map((contract) => callsOf(remembered, address, contract))
  const tokens = tokensOf(remembered, coded, calls, coded.length === 0 ? [] : await callAlone(rpc, calls.flat()))
  return new Map([
    ...contracts.map((contract) => [contract, notAToken(contract)] as const),
    ...tokens.map((token) => [token.contract, token] as const),
  ])
}
