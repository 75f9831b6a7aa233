import type { ChainAccounts } from '../chains/chainAccounts.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { AddressBalances, TokenBalance } from '../chains/sending.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import { unaffordable } from '../transfers/planTransfer.ts'
import type { WantedExecution } from './readExecution.ts'
import type { SwapToken } from './readSwap.ts'
import { coinSide, type StoredSide } from './storedSwap.ts'

interface Amounts {
  sellAmount: bigint
  sellDecimals: number
  buyDecimals: number
}

/** Both sides of a swap as they are stored; the amount to buy is not known yet. */
export interface Sides {
  sell: StoredSide
  buy: StoredSide
}

/**
 * Reads the sides of a swap, and checks that the sender holds what it sells, before a request to a provider.
 * @throws ApiError 422 `insufficient_balance`, `insufficient_native_balance`; 503 `chain_unavailable`
 */
export async function requireHeld(
  { balances }: Pick<ChainAccounts, 'balances'>,
  { chain, from, sell, buy }: WantedExecution,
  { sellAmount, sellDecimals, buyDecimals }: Amounts,
): Promise<Sides> {
  const contracts = [sell, buy].filter(({ isCoin }) => !isCoin).map(({ token }) => token)
  const held = await balances.balances(from, contracts).catch((error) => {
    throw asUnavailable(chain.name, error)
  })
  const sides = {
    sell: sideOf(chain, sell, held, { amount: sellAmount, decimals: sellDecimals }),
    buy: sideOf(chain, buy, held, { amount: 0n, decimals: buyDecimals }),
  }
  const available = sell.isCoin ? held.native : sendable(tokenOf(held, sell))
  if (available < sellAmount) {
    const { symbol, decimals } = sides.sell
    throw unaffordable({
      kind: sell.isCoin ? 'native' : 'token',
      symbol: symbol ?? sell.token,
      decimals,
      required: sellAmount,
      available,
    })
  }
  return sides
}

const tokenOf = ({ tokens }: AddressBalances, { token }: SwapToken): TokenBalance | undefined =>
  tokens.find(({ contract }) => contract === token)
const sendable = (token: TokenBalance | undefined): bigint => token?.sendable ?? token?.balance ?? 0n

function sideOf(
  chain: ConfiguredChain,
  side: SwapToken,
  held: AddressBalances,
  known: Pick<StoredSide, 'amount' | 'decimals'>,
): StoredSide {
  if (side.isCoin) return coinSide(chain, known.amount)
  const registered = [...chain.tokens, ...chain.lookalikes].find(({ contract }) => contract === side.token)
  return { token: side.token, symbol: registered?.symbol ?? tokenOf(held, side)?.symbol ?? null, ...known }
}
