import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import type { Tx } from '../platform/db.ts'
import type { TokenName } from '../sendLimits/limits.ts'
import { requireWithinKeyLimits, type WantedOf } from '../sendLimits/requireWithin.ts'
import { tokenDecimals } from './decimals.ts'
import type { WalletTarget } from './outflow.ts'

/** What a key wants to leave the balance of its business. */
interface TakenByKey {
  chain: ConfiguredChain
  /** The symbol. */
  token: string
  amount: bigint
  /** Null: to a bank, or to an address that a customer names. */
  to: Pick<WalletTarget, 'chain' | 'address' | 'memo'> | null
  fields: NonNullable<WantedOf['fields']>
}

/**
 * Enforces the limits of the key that asks for a refund or payout, summed with its transfers. The lock lasts until the transaction ends, which must store
 * the outflow.
 * @param rootId null: a person asks
 * @returns whether a second owner must approve it
 * @throws ApiError 403 `limit_exceeded`
 */
export function requireWithinLimitsOfKey(
  tx: Tx,
  rootId: string | null,
  { chain, token, amount, to, fields }: TakenByKey,
): Promise<{ approval: boolean }> {
  const isNative = token === chain.native.symbol
  return requireWithinKeyLimits(tx, rootId, {
    ...{ chain: chain.name, symbol: token, decimals: tokenDecimals(chain.name, token), amount, fields },
    token: isNative ? 'native' : (token.toLowerCase() as TokenName),
    contract: assetsOf(chain).find(({ symbol }) => symbol === token)?.contract ?? null,
    to: to?.address ?? null,
    toChain: to?.chain ?? chain.name,
    memo: to?.memo ?? null,
  })
}
