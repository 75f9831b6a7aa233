import type { Providers } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import type { ConfiguredChain } from '../registry.ts'
import { createRemembered } from '../remembered.ts'
import type { BalanceReader, TokenBalance, TokenProblem } from '../sending.ts'
import { readAccount, type TrialRun, tryCall } from './nodeApi.ts'
import { balanceCall, decimalsCall, readNumber, readText, symbolCall } from './tokenCalls.ts'

interface Metadata {
  symbol: string | null
  decimals: number | null
}

/** Tokens whose name and unit are kept. */
const maxKept = 1000

/** Reads balances of TRX and TRC-20 tokens, all of one address from one node. */
export function tronBalanceReader({ providers, chain }: { providers: Providers<Rest>; chain: ConfiguredChain }): BalanceReader {
  const known = new Map<string, Metadata>(
    [...chain.tokens, ...chain.lookalikes].map(({ contract, symbol, decimals }) => [contract, { symbol, decimals }]),
  )
  // What a token says of itself does not change: kept where it said all, the oldest going first.
  const kept = createRemembered<Metadata>(maxKept)
  async function metadata(rest: Rest, owner: string, contract: string): Promise<Metadata> {
    const before = known.get(contract) ?? kept.get(contract)
    if (before) return before
    const [decimals, symbol] = await Promise.all([tryCall(rest, owner, contract, decimalsCall), tryCall(rest, owner, contract, symbolCall)])
    const told = { symbol: readText(symbol.result ?? ''), decimals: readDecimals(decimals) }
    if (told.symbol !== null && told.decimals !== null) kept.keep(contract, told)
    return told
  }

  async function token(rest: Rest, owner: string, contract: string): Promise<TokenBalance> {
    const [held, { symbol, decimals }] = await Promise.all([tryCall(rest, owner, contract, balanceCall(owner)), metadata(rest, owner, contract)])
    if (held.failure?.isMissing) return { contract, symbol: null, decimals: null, balance: null, problem: 'not_a_token' }
    const balance = readNumber(held.result ?? '')
    return { contract, symbol, decimals, balance, problem: problemOf(balance, decimals, symbol) }
  }

  return {
    async balances(address, contracts) {
      const found = await providers.ask(async (rest) => {
        const [account, ...tokens] = await Promise.all([readAccount(rest, address), ...contracts.map((contract) => token(rest, address, contract))])
        return { native: account.balance, tokens }
      })
      if (!found) throw new Error('a node that has nothing to say')
      return found
    },
  }
}

/** `decimals` is a `uint8` (TIP-20). */
function readDecimals({ result }: TrialRun): number | null {
  const told = readNumber(result ?? '')
  return told === null || told > 255n ? null : Number(told)
}

function problemOf(balance: bigint | null, decimals: number | null, symbol: string | null): TokenProblem | null {
  if (balance === null) return 'unreadable'
  if (decimals === null) return 'no_decimals'
  return symbol === null ? 'bad_symbol' : null
}
