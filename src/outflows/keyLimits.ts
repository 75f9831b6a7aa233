import { assetsOf, type Chain, registeredChain } from '../chains/registry.ts'
import { tokenDecimals } from '../chains/tokenDecimals.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { TokenName } from '../spendingLimits/limits.ts'
import {
  compareManyWithKeyLimits,
  exceedsKeyLimits,
  requireWithinKeyLimits,
  type WantedOf,
} from '../spendingLimits/requireWithin.ts'
import type { Outflow, WalletTarget } from './outflow.ts'

/** What a key wants to leave the balance of its business. */
export interface TakenByKey {
  chain: Chain
  /** The symbol. */
  token: string
  amount: bigint
  /** Null: to a bank, or to an address that a customer names. */
  to: Pick<WalletTarget, 'chain' | 'address' | 'memo'> | null
  fields: NonNullable<WantedOf['fields']>
}

/**
 * Enforces the limits of the key that requests a refund or payout, summed with its transfers. The lock lasts
 * until the transaction ends, which must store the outflow.
 * @param rootId null: a person requests it
 * @returns whether a second owner must approve it
 * @throws ApiError 403 `limit_exceeded`
 */
export const requireWithinLimitsOfKey = (
  tx: Tx,
  rootId: string | null,
  taken: TakenByKey,
): Promise<{ approval: boolean }> => requireWithinKeyLimits(tx, rootId, wantedOf(taken))

/**
 * Compares what a key requests together with its limits, and locks nothing.
 * @param rootId null: a person requests it
 */
export const compareWithLimitsOfKey = async (
  db: Queryable,
  rootId: string | null,
  taken: readonly TakenByKey[],
): Promise<Awaited<ReturnType<typeof compareManyWithKeyLimits>>> =>
  rootId === null
    ? { exceeded: [], approval: false }
    : compareManyWithKeyLimits(db, rootId, taken.map(wantedOf))

/** Compares an outflow that a key has requested with the limits of the key as they are now. */
export async function exceedsLimitsOfKey(
  tx: Tx,
  { id, askedByKey, chain, token, amount, wallet }: Outflow,
): Promise<boolean> {
  if (askedByKey === null) return false
  const [key] = await tx.query<{ rootId: string }>('select root_id as "rootId" from api_keys where id = $1', [
    askedByKey,
  ])
  if (!key) throw new Error(`the key of outflow ${id} is gone`)
  return exceedsKeyLimits(
    tx,
    key.rootId,
    wantedOf({ chain: registeredChain(chain), token, amount, to: wallet, fields: {} }),
    id,
  )
}

function wantedOf({ chain, token, amount, to, fields }: TakenByKey): WantedOf {
  const isNative = token === chain.native.symbol
  return {
    chain: chain.name,
    symbol: token,
    decimals: tokenDecimals(chain.name, token),
    amount,
    fields,
    token: isNative ? 'native' : (token.toLowerCase() as TokenName),
    contract: assetsOf(chain).find(({ symbol }) => symbol === token)?.contract ?? null,
    to: to?.address ?? null,
    toChain: to?.chain ?? chain.name,
    memo: to?.memo ?? null,
  }
}
