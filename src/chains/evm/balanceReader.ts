import { ProviderError } from '../chain.ts'
import { agreedDecimals } from '../providers/agreeDecimals.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import { createRemembered, type Remembered } from '../providers/remembered.ts'
import type { AddressBalances, BalanceReader, TokenBalance } from '../sending.ts'
import { ethBalanceCall, manyBalancesBy } from './manyBalances.ts'
import { aggregateCalls, type ContractCall, callEach } from './multicall.ts'
import { pastBalancesBy } from './pastBalances.ts'
import { quantity } from './refusals.ts'
import { type Metadata, notAToken, type TokenAnswers, tokenBalance } from './tokenAnswers.ts'
import { balanceOfCall, decimalsCall, symbolCall } from './tokenCalls.ts'

/** Tokens whose symbol and decimals are cached. */
const maxRemembered = 1000

/**
 * Reads balances by one call of Multicall3. Calls a contract again by itself where its answers are invalid:
 * another contract may have used up the gas.
 */
export function evmBalanceReader({ providers }: { providers: Providers<JsonRpc> }): BalanceReader {
  const remembered = createRemembered<Metadata>(maxRemembered)

  function remember({ contract, symbol, decimals }: TokenBalance): void {
    if (symbol !== null && decimals !== null) remembered.keep(contract, { symbol, decimals })
  }

  return {
    async balances(address, contracts) {
      const found = await providers.ask((rpc) => balancesBy(rpc, remembered, address, contracts))
      if (!found) throw new ProviderError('no provider answered with balances')
      for (const token of found.tokens) remember(token)
      return found
    },
    balancesAt: (address, contracts, height) =>
      providers.ask((rpc) => pastBalancesBy(rpc, address, contracts, height)),
    many: (addresses, contracts, height) =>
      providers.ask((rpc) => manyBalancesBy(rpc, addresses, contracts, height)),
    async spendable(addresses) {
      const found = await providers.ask((rpc) => nativesBy(rpc, addresses))
      if (!found) throw new ProviderError('no provider answered with balances')
      return found
    },
    decimals: (contracts) => agreedDecimals(providers, (rpc) => decimalsBy(rpc, contracts)),
  }
}

/** Holds nothing: only the tokens' own answers are of interest. */
const holder = '0x0000000000000000000000000000000000000001'

/** One provider's answer, without what is cached: it may be of another provider. */
async function decimalsBy(rpc: JsonRpc, contracts: readonly string[]): Promise<(number | null)[]> {
  const { tokens } = await balancesBy(rpc, createRemembered(1), holder, contracts)
  return tokens.map(({ decimals }) => decimals)
}

async function balancesBy(
  rpc: JsonRpc,
  remembered: Remembered<Metadata>,
  address: string,
  contracts: readonly string[],
): Promise<AddressBalances> {
  const [nativeCall, calls] = [
    ethBalanceCall(address),
    contracts.map((contract) => callsOf(remembered, address, contract)),
  ]
  const answers = contracts.length === 0 ? null : await aggregateCalls(rpc, [nativeCall, ...calls.flat()])
  const native = answers?.[0] ?? (await rpc.call('eth_getBalance', [address, 'latest']))
  const tokens = tokensOf(remembered, contracts, calls, answers?.slice(1) ?? [])
  const invalid = contracts.filter((_, index) => tokens[index]?.problem !== null)
  const retried = await balancesEach(rpc, remembered, address, invalid)
  return {
    native: quantity(native, 'a balance'),
    tokens: tokens.map((token) => retried.get(token.contract) ?? token),
  }
}

/** By Multicall3; one by one, in a batch, where it is not deployed. */
async function nativesBy(rpc: JsonRpc, addresses: readonly string[]): Promise<bigint[]> {
  const answers = addresses.length > 1 ? await aggregateCalls(rpc, addresses.map(ethBalanceCall)) : null
  const read =
    answers ??
    (await rpc.callMany(
      'eth_getBalance',
      addresses.map((address) => [address, 'latest']),
    ))
  return read.map((balance) => quantity(balance, 'a balance'))
}

const callsOf = (remembered: Remembered<Metadata>, address: string, contract: string): ContractCall[] =>
  [balanceOfCall(address), ...(remembered.has(contract) ? [] : [decimalsCall, symbolCall])].map((data) => ({
    to: contract,
    data,
  }))

/** @param answers in the order of the calls; a missing answer counts as failed */
function tokensOf(
  remembered: Remembered<Metadata>,
  contracts: readonly string[],
  calls: readonly (readonly ContractCall[])[],
  answers: readonly (string | null)[],
): TokenBalance[] {
  let next = 0
  return contracts.map((contract, index) => {
    const [balance = null, decimals = null, symbol = null] = answers.slice(
      next,
      next + (calls[index]?.length ?? 0),
    )
    next += calls[index]?.length ?? 0
    const tokenAnswers: TokenAnswers = { balance, decimals, symbol, metadata: remembered.get(contract) }
    return tokenBalance(contract, tokenAnswers)
  })
}

/** Calls each contract by itself, and checks that it has code. */
async function balancesEach(
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
  const tokens = tokensOf(
    remembered,
    coded,
    calls,
    coded.length === 0 ? [] : await callEach(rpc, calls.flat()),
  )
  return new Map([
    ...contracts.map((contract) => [contract, notAToken(contract)] as const),
    ...tokens.map((token) => [token.contract, token] as const),
  ])
}
