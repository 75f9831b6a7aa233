import { base58 } from '@scure/base'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import { createRemembered } from '../remembered.ts'
import type { AddressBalances, BalanceReader, TokenBalance } from '../sending.ts'
import { accountsOf, mintOf, tokenPrograms } from './chainState.ts'
import { commitment } from './header.ts'
import { manyBalancesBy } from './manyBalances.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { metadataAddressOf, symbolOf } from './tokenNames.ts'

interface TokenMetadata {
  decimals: number
  symbol: string | null
}

const maxRemembered = 1000

/** Reads confirmed balances. A token balance sums all token accounts of the address, frozen ones included. */
export function solanaBalanceReader({ providers, chain }: SolanaSenderContext): BalanceReader {
  /** By mint; evicts the oldest. Holds only mints with a symbol: other accounts may still become mints, and mints may still get a name. */
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
  }

  async function read(rpc: JsonRpc, address: string, contracts: readonly string[]): Promise<AddressBalances> {
    const metadataByMint = new Map(contracts.map((contract) => [contract, remembered.get(contract)]))
    const unknown = [...metadataByMint].filter(([, known]) => !known).map(([contract]) => contract)
    const [accounts, held] = await Promise.all([
      accountsOf(rpc, [address, ...unknown.flatMap((mint) => [mint, metadataAddressOf(mint)])]),
      contracts.length > 0 ? tokensOf(rpc, address) : new Map<string, bigint>(),
    ])
    unknown.forEach((contract, index) => {
      const [account = null, nameAccount = null] = accounts.slice(1 + 2 * index)
      const mint = mintOf(account)
      if (!mint) return
      const known = chain.tokens.find((token) => token.contract === contract)
      const metadata = { decimals: mint.decimals, symbol: known?.symbol ?? symbolOf(contract, mint, nameAccount) }
      metadataByMint.set(contract, metadata)
      if (metadata.symbol !== null) remembered.keep(contract, metadata)
    })
    const tokens = contracts.map((contract) => balanceOf(contract, metadataByMint.get(contract), held.get(contract) ?? 0n))
    return { native: accounts[0]?.lamports ?? 0n, tokens }
  }
}

function balanceOf(contract: string, metadata: TokenMetadata | undefined, balance: bigint): TokenBalance {
  if (!metadata) return { contract, symbol: null, decimals: null, balance: null, problem: 'not_a_token' }
  return { contract, ...metadata, balance, problem: metadata.symbol === null ? 'bad_symbol' : null }
}

/** Requests only the head of a token account: mint, owner and amount (8 bytes, little-endian). */
const dataSlice = { offset: 0, length: 72 }

/** The token amounts that an address owns, by mint. */
async function tokensOf(rpc: JsonRpc, address: string): Promise<Map<string, bigint>> {
  const options = { commitment, encoding: 'base64', dataSlice }
  const lists = await Promise.all(
    tokenPrograms.map((program) => rpc.call('getTokenAccountsByOwner', [address, { programId: program.toBase58() }, options])),
  )
  const held = new Map<string, bigint>()
  sound(() => {
    for (const list of lists as { value: { account: { data: [string, string] } }[] }[]) {
      for (const { account } of list.value) {
        const data = Buffer.from(account.data[0], 'base64')
        const [mint, owner] = [base58.encode(data.subarray(0, 32)), base58.encode(data.subarray(32, 64))]
        if (owner !== address) throw new ProviderError(`${rpc.name} returned a token account of another owner`)
        held.set(mint, (held.get(mint) ?? 0n) + data.readBigUInt64LE(64))
      }
    }
  })
  return held
}
