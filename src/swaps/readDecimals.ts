import type { ChainAccounts } from '../chains/chainAccounts.ts'
import type { Remembered } from '../chains/providers/remembered.ts'
import type { Chain } from '../chains/registry.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import { tokenNotSupported } from './errors.ts'
import type { SwapToken } from './readSwap.ts'

export interface DecimalsContext {
  accounts(chain: string): Promise<Pick<ChainAccounts, 'balances'>>
  /** Decimals by chain and token: they do not change. */
  decimals: Remembered<number>
}

/** Runs work that reads a chain's nodes, and counts it. */
export type CountQuestion = (work: () => Promise<void>) => Promise<void>

const uncounted: CountQuestion = (work) => work()

/**
 * The decimals of tokens: those of the registry; of other tokens, those on which nodes of the chain agree,
 * read once. Amounts of requests are read with them: a wrong one would sell another amount.
 * @param counted called where the chain is read
 * @throws ApiError 422 `token_not_supported` naming the field; 503 `chain_unavailable`
 */
export async function readDecimals(
  ctx: DecimalsContext,
  chain: Chain,
  sides: readonly SwapToken[],
  counted = uncounted,
): Promise<number[]> {
  const keyOf = (token: string) => `${chain.name}:${token}`
  const knownOf = ({ token, isCoin }: SwapToken) =>
    isCoin ? chain.native.decimals : (registered(chain, token) ?? ctx.decimals.get(keyOf(token)))
  const unknown = sides.filter((side) => knownOf(side) === undefined)
  const learn = async () => {
    const tokens = unknown.map(({ token }) => token)
    const read = await readAgreed(ctx, chain, tokens)
    for (const [index, token] of tokens.entries()) {
      const decimals = read[index] ?? null
      if (decimals !== null) ctx.decimals.keep(keyOf(token), decimals)
    }
    const missing = unknown.find((side) => knownOf(side) === undefined)
    if (missing) throw tokenNotSupported(missing.field, `is not a token of ${chain.name}`)
  }
  if (unknown.length > 0) await counted(learn)
  return sides.map((side) => knownOf(side) ?? 0)
}

const registered = ({ tokens, lookalikes }: Chain, token: string): number | undefined =>
  [...tokens, ...lookalikes].find(({ contract }) => contract === token)?.decimals

async function readAgreed(
  ctx: DecimalsContext,
  chain: Chain,
  tokens: readonly string[],
): Promise<(number | null)[]> {
  try {
    const { balances } = await ctx.accounts(chain.name)
    if (!balances.decimals) throw new Error(`${chain.name} reads no decimals`)
    return await balances.decimals(tokens)
  } catch (error) {
    throw asUnavailable(chain.name, error)
  }
}
