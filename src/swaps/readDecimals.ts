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

/**
 * The decimals of tokens, read from the chain once.
 * @throws ApiError 422 `token_not_supported` naming the field; 503 `chain_unavailable`
 */
export async function readDecimals(ctx: DecimalsContext, chain: Chain, sides: readonly SwapToken[]): Promise<number[]> {
  const keyOf = (token: string) => `${chain.name}:${token}`
  const unknown = sides.filter(({ token, isCoin }) => !isCoin && !ctx.decimals.has(keyOf(token)))
  for (const each of unknown.length > 0 ? await ask(ctx, chain, unknown) : []) {
    if (each.decimals !== null) ctx.decimals.keep(keyOf(each.contract), each.decimals)
  }
  return sides.map(({ field, token, isCoin }) => {
    const decimals = isCoin ? chain.native.decimals : ctx.decimals.get(keyOf(token))
    if (decimals === undefined) throw tokenNotSupported(field, `is not a token of ${chain.name}`)
    return decimals
  })
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
