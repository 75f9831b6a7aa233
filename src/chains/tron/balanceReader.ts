import type { Providers } from '../providers/providers.ts'
import { createRemembered } from '../providers/remembered.ts'
import type { Rest } from '../providers/rest.ts'
import type { ConfiguredChain } from '../registry.ts'
import type { BalanceReader, TokenBalance, TokenProblem } from '../sending.ts'
import { readAccount, type Simulation, simulateCall } from './nodeApi.ts'
import { balanceCall, decimalsCall, readNumber, readText, symbolCall } from './tokenCalls.ts'

interface Metadata {
  symbol: string | null
  decimals: number | null
}

/** Tokens whose metadata is cached. */
const maxCached = 1000

/** Reads balances of TRX and TRC-20 tokens; those of one address come from one node. */
export function tronBalanceReader({
  providers,
  chain,
}: {
  providers: Providers<Rest>
  chain: ConfiguredChain
}): BalanceReader {
  const known = new Map<string, Metadata>(
    [...chain.tokens, ...chain.lookalikes].map(({ contract, symbol, decimals }) => [
      contract,
      { symbol, decimals },
    ]),
  )
  // A token's metadata does not change: complete metadata is cached, the oldest evicted first.
  const cached = createRemembered<Metadata>(maxCached)
  async function metadata(rest: Rest, owner: string, contract: string): Promise<Metadata> {
    const before = known.get(contract) ?? cached.get(contract)
    if (before) return before
    const [decimals, symbol] = await Promise.all([
      simulateCall(rest, owner, contract, decimalsCall),
      simulateCall(rest, owner, contract, symbolCall),
    ])
    const answered = { symbol: readText(symbol.result ?? ''), decimals: readDecimals(decimals) }
    if (answered.symbol !== null && answered.decimals !== null) cached.keep(contract, answered)
    return answered
  }

  async function token(rest: Rest, owner: string, contract: string): Promise<TokenBalance> {
    const [held, { symbol, decimals }] = await Promise.all([
      simulateCall(rest, owner, contract, balanceCall(owner)),
      metadata(rest, owner, contract),
    ])
    if (held.failure?.isMissing)
      return { contract, symbol: null, decimals: null, balance: null, problem: 'not_a_token' }
    const balance = readNumber(held.result ?? '')
    return { contract, symbol, decimals, balance, problem: problemOf(balance, decimals, symbol) }
  }

  return {
    async balances(address, contracts) {
      const found = await providers.ask(async (rest) => {
        const [account, ...tokens] = await Promise.all([
          readAccount(rest, address),
          ...contracts.map((contract) => token(rest, address, contract)),
        ])
        return { native: account.balance, tokens }
      })
      if (!found) throw new Error('no provider returned the balances')
      return found
    },
    async spendable(addresses) {
      const found = await providers.ask((rest) =>
        Promise.all(addresses.map(async (address) => (await readAccount(rest, address)).balance)),
      )
      if (!found) throw new Error('no provider returned the balances')
      return found
    },
  }
}

/** `decimals` is a `uint8` (TIP-20). */
function readDecimals({ result }: Simulation): number | null {
  const value = readNumber(result ?? '')
  return value === null || value > 255n ? null : Number(value)
}

function problemOf(
  balance: bigint | null,
  decimals: number | null,
  symbol: string | null,
): TokenProblem | null {
  if (balance === null) return 'unreadable'
  if (decimals === null) return 'no_decimals'
  return symbol === null ? 'bad_symbol' : null
}
