import type { ChainAccounts } from '../chains/chainAccounts.ts'
import type { Chain } from '../chains/registry.ts'
import type { Remembered } from '../chains/remembered.ts'
import type { TokenBalance } from '../chains/sending.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import { tokenNotSupported } from './errors.ts'
import type { SwapToken } from './readSwap.ts'

export interface DecimalsContext {
  accounts(chain: string): Promise<Pick<ChainAccounts, 'balances'>>
  /** By chain and token. */
  decimals: Remembered<number>
}

/** Holds nothing: only the tokens' own answers are of interest. On Solana anybody may open accounts for any owner: a mint itself has the fewest. */
const evmHolder = '0x0000000000000000000000000000000000000001'

/** Runs work that asks a chain's nodes, and counts it. */
export type CountQuestion = (work: () => Promise<void>) => Promise<void>

const uncounted: CountQuestion = (work) => work()

/**
 * The decimals of tokens, read from the chain once.
 * @param counted called where the chain is asked
 * @throws ApiError 422 `token_not_supported` naming the field; 503 `chain_unavailable`
 */
export async function readDecimals(ctx: DecimalsContext, chain: Chain, sides: readonly SwapToken[], counted = uncounted): Promise<number[]> {
  const keyOf = (token: string) => `${chain.name}:${token}`
  const unknown = sides.filter(({ token, isCoin }) => !isCoin && !ctx.decimals.has(keyOf(token)))
  const learn = async () => {
    for (const each of await ask(ctx, chain, unknown)) {
      if (each.decimals !== null) ctx.decimals.keep(keyOf(each.contract), each.decimals)
    }
    const missing = unknown.find(({ token }) => !ctx.decimals.has(keyOf(token)))
    if (missing) throw tokenNotSupported(missing.field, `is not a token of ${chain.name}`)
  }
  if (unknown.length > 0) await counted(learn)
  return sides.map(({ token, isCoin }) => (isCoin ? chain.native.decimals : (ctx.decimals.get(keyOf(token)) ?? 0)))
}

async function ask(ctx: DecimalsContext, chain: Chain, sides: readonly SwapToken[]): Promise<TokenBalance[]> {
  const contracts = sides.map(({ token }) => token)
  const holder = chain.family === 'solana' ? (contracts[0] ?? '') : evmHolder
  try {
    const { balances } = await ctx.accounts(chain.name)
    return (await balances.balances(holder, contracts)).tokens
  } catch (error) {
    throw asUnavailable(chain.name, error)
  }
}
