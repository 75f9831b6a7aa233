import { base58 } from '@scure/base'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import { createRemembered } from '../remembered.ts'
import type { AddressBalances, BalanceReader, TokenBalance } from '../sending.ts'
import { accountsOf, mintOf, tokenPrograms } from './chainState.ts'
import { commitment } from './header.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { namePlaceOf, symbolOf } from './tokenNames.ts'

interface TokenFacts {
  decimals: number
  symbol: string | null
}

const maxRemembered = 1000

/** Balances when confirmed. A token's is the sum of all accounts for it that the address owns, frozen ones included. */
export function solanaBalanceReader({ providers, chain }: SolanaSenderContext): BalanceReader {
  /** By mint; the oldest goes first. What is no mint, or has no name, may still become one, or get one. */
  const remembered = createRemembered<TokenFacts>(maxRemembered)

  return {
    async balances(address, contracts) {
      const found = await providers.ask((rpc) => read(rpc, address, contracts))
      if (!found) throw new ProviderError('nobody tells the balances')
      return found
    },
  }

  async function read(rpc: JsonRpc, address: string, contracts: readonly string[]): Promise<AddressBalances> {
    const facts = new Map(contracts.map((contract) => [contract, remembered.get(contract)]))
    const unknown = [...facts].filter(([, known]) => !known).map(([contract]) => contract)
    const [accounts, held] = await Promise.all([
      accountsOf(rpc, [address, ...unknown.flatMap((mint) => [mint, namePlaceOf(mint)])]),
      contracts.length > 0 ? tokensOf(rpc, address) : new Map<string, bigint>(),
    ])
    unknown.forEach((contract, index) => {
      const [account = null, named = null] = accounts.slice(1 + 2 * index)
      const mint = mintOf(account)
      if (!mint) return
      const known = chain.tokens.find((token) => token.contract === contract)
      const told = { decimals: mint.decimals, symbol: known?.symbol ?? symbolOf(contract, mint, named) }
      facts.set(contract, told)
      if (told.symbol !== null) remembered.keep(contract, told)
    })
    const tokens = contracts.map((contract) => balanceOf(contract, facts.get(contract), held.get(contract) ?? 0n))
    return { native: accounts[0]?.lamports ?? 0n, tokens }
  }
}

function balanceOf(contract: string, facts: TokenFacts | undefined, balance: bigint): TokenBalance {
  if (!facts) return { contract, symbol: null, decimals: null, balance: null, problem: 'not_a_token' }
  return { contract, ...facts, balance, problem: facts.symbol === null ? 'bad_symbol' : null }
}

/** A token account begins with mint, owner and amount (8 bytes, the lowest first); no more of it is asked for. */
const dataSlice = { offset: 0, length: 72 }

/** What an address owns, by mint. */
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
        if (owner !== address) throw new ProviderError(`${rpc.name} tells of a token account of somebody else`)
        held.set(mint, (held.get(mint) ?? 0n) + data.readBigUInt64LE(64))
      }
    }
  })
  return held
}
