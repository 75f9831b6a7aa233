import type { Chain } from '../chains/registry.ts'
import type { Remembered } from '../chains/remembered.ts'
import type { ChainAccounts } from '../chains/sending.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import { tokenNotSupported } from './errors.ts'
import type { SwapToken } from './readSwap.ts'

export interface DecimalsContext {
  accounts(chain: string): Promise<Pick<ChainAccounts, 'balances'>>
  /** By chain and token. */
  decimals: Remembered<number>
}

/**
 * The decimals of tokens: those of the registry; of other tokens, those on which nodes of the chain agree, read once. Amounts of requests
 * are read with them: a wrong one would sell another amount.
 * @throws ApiError 422 `token_not_supported` naming the field; 503 `chain_unavailable`
 */
export async function readDecimals(ctx: DecimalsContext, chain: Chain, sides: readonly SwapToken[]): Promise<number[]> {
  const keyOf = (token: string) => `${chain.name}:${token}`
  const knownOf = ({ token, isCoin }: SwapToken) => (isCoin ? chain.native.decimals : (registered(chain, token) ?? ctx.decimals.get(keyOf(token))))
  const unknown = sides.filter((side) => knownOf(side) === undefined).map(({ token }) => token)
  const read = unknown.length > 0 ? await readAgreed(ctx, chain, unknown) : []
  for (const [index, token] of unknown.entries()) {
    const decimals = read[index] ?? null
    if (decimals !== null) ctx.decimals.keep(keyOf(token), decimals)
  }
  return sides.map((side) => {
    const decimals = knownOf(side)
    if (decimals === undefined) throw tokenNotSupported(side.field, `is not a token of ${chain.name}`)
    return decimals
  })
}

const registered = ({ tokens, lookalikes }: Chain, token: string): number | undefined =>
  [...tokens, ...lookalikes].find(({ contract }) => contract === token)?.decimals

async function readAgreed(ctx: DecimalsContext, chain: Chain, tokens: readonly string[]): Promise<(number | null)[]> {
  try {
    const { balances } = await ctx.accounts(chain.name)
    if (!balances.decimals) throw new Error(`${chain.name} reads no decimals`)
    return await balances.decimals(tokens)
  } catch (error) {
    throw asUnavailable(chain.name, error)
  }
}
