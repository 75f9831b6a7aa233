import { sumOf } from '../../money/amount.ts'
import { ProviderError } from '../chain.ts'
import { agreedDecimals } from '../providers/agreeDecimals.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { createRemembered } from '../providers/remembered.ts'
import type { AddressBalances, BalanceReader, TokenBalance } from '../sending.ts'
import { accountsOf, mintOf, tokenPrograms } from './chainState.ts'
import { heldAccounts } from './heldAccounts.ts'
import { manyBalancesBy } from './manyBalances.ts'
import type { SolanaSenderContext } from './send/senderContext.ts'
import { metadataAddressOf, symbolOf } from './tokenNames.ts'
import { drawable, type HeldAccount } from './tokenSources.ts'

interface TokenMetadata {
  decimals: number
  symbol: string | null
}

const maxRemembered = 1000

/** Reads confirmed balances. A token balance sums all token accounts of the address, frozen ones included. */
export function solanaBalanceReader({ providers, chain }: SolanaSenderContext): BalanceReader {
  /**
   * By mint; evicts the oldest. Holds only mints with a symbol: other accounts may still become mints, and
   * mints may still get a name.
   */
  const remembered = createRemembered<TokenMetadata>(maxRemembered)

  return {
    async balances(address, contracts) {
      const found = await providers.ask((rpc) => read(rpc, address, contracts))
      if (!found) throw new ProviderError('no provider returned the balances')
      return found
    },
    many: (addresses, contracts) => providers.ask((rpc) => manyBalancesBy(rpc, addresses, contracts)),
    async spendable(addresses) {
      const found = await providers.ask((rpc) => accountsOf(rpc, addresses))
      if (!found) throw new ProviderError('no provider returned the balances')
      return found.map((account) => account?.lamports ?? 0n)
    },
    decimals: (mints) =>
      agreedDecimals(providers, async (rpc) =>
        (await accountsOf(rpc, mints)).map((each) => mintOf(each)?.decimals ?? null),
      ),
  }

  async function read(rpc: JsonRpc, address: string, contracts: readonly string[]): Promise<AddressBalances> {
    const metadataByMint = new Map(contracts.map((contract) => [contract, remembered.get(contract)]))
    const unknown = [...metadataByMint].filter(([, known]) => !known).map(([contract]) => contract)
    const [accounts, held] = await Promise.all([
      accountsOf(rpc, [address, ...unknown.flatMap((mint) => [mint, metadataAddressOf(mint)])]),
      contracts.length > 0 ? tokensOf(rpc, address, contracts) : new Map<string, HeldAccount[]>(),
    ])
    unknown.forEach((contract, index) => {
      const [account = null, nameAccount = null] = accounts.slice(1 + 2 * index)
      const mint = mintOf(account)
      if (!mint) return
      const known = chain.tokens.find((token) => token.contract === contract)
      const metadata = {
        decimals: mint.decimals,
        symbol: known?.symbol ?? symbolOf(contract, mint, nameAccount),
      }
      metadataByMint.set(contract, metadata)
      if (metadata.symbol !== null) remembered.keep(contract, metadata)
    })
    const tokens = contracts.map((contract) =>
      balanceOf(contract, metadataByMint.get(contract), held.get(contract) ?? []),
    )
    return { native: accounts[0]?.lamports ?? 0n, tokens }
  }
}

function balanceOf(
  contract: string,
  metadata: TokenMetadata | undefined,
  accounts: readonly HeldAccount[],
): TokenBalance {
  if (!metadata) return { contract, symbol: null, decimals: null, balance: null, problem: 'not_a_token' }
  const [balance, sendable] = [sumOf(accounts), sumOf(drawable(accounts))]
  const problem = metadata.symbol === null ? 'bad_symbol' : null
  const sweepable = sumOf(accounts.filter(({ isAssociated }) => isAssociated))
  return {
    contract,
    ...metadata,
    balance,
    ...(sendable < balance && { sendable }),
    ...(sweepable < balance && { sweepable }),
    problem,
  }
}

/** The token accounts of these mints that an address owns, by mint. */
async function tokensOf(
  rpc: JsonRpc,
  address: string,
  mints: readonly string[],
): Promise<Map<string, HeldAccount[]>> {
  const lists = await Promise.all(
    tokenPrograms.map((program) => heldAccounts(rpc, address, program.toBase58(), mints)),
  )
  return new Map(lists.flatMap((list) => [...list]))
}
