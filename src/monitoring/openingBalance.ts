import { ProviderError } from '../chains/chain.ts'
import type { ChainAccounts } from '../chains/chainAccounts.ts'
import { displayContract } from '../chains/codecs.ts'
import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import { formatUnits } from '../money/amount.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { monitoredAddressModel } from './models.ts'
import { fromHeights } from './view.ts'

interface Amount {
  symbol: string
  decimals: number
  balance: string
  baseUnits: string
}

/**
 * The balance of a monitored address after the block before its first reported one: exact, or null with the
 * reason.
 */
export interface OpeningBalanceView {
  block: number | null
  native: Amount | null
  tokens:
    | {
        contract: string
        symbol: string
        decimals: number
        balance: string | null
        baseUnits: string | null
      }[]
    | null
  reason: 'not_read_yet' | 'no_block_before' | 'no_history' | 'state_not_kept' | null
}

/** @throws ApiError 404, also for a removed address or another business's; 503 `chain_unavailable` */
export async function openingBalance(
  ctx: { db: ModelDb; chains: readonly ConfiguredChain[]; accounts(chain: string): Promise<ChainAccounts> },
  businessId: string,
  id: string,
): Promise<OpeningBalanceView> {
  const row = isUuid(id)
    ? await monitoredAddressModel(ctx.db.sequelize).findOne({ where: { id, businessId, removedAt: null } })
    : null
  if (!row) throw notFound('Monitored address')
  const from = (await fromHeights(ctx.db, [row.id])).get(row.id) ?? null
  const without = (block: number | null, reason: OpeningBalanceView['reason']) => ({
    block,
    native: null,
    tokens: null,
    reason,
  })
  if (from === null) return without(null, 'not_read_yet')
  const block = Number(from) - 1
  if (block < 0) return without(null, 'no_block_before')
  const chain = ctx.chains.find(({ name }) => name === row.chain)
  if (!chain) throw asUnavailable(row.chain, new ProviderError('the deployment reads this chain no more'))
  const unavailable = (error: unknown) => {
    throw asUnavailable(chain.name, error)
  }
  const { balances } = await ctx.accounts(chain.name).catch(unavailable)
  if (!balances.balancesAt) return without(block, 'no_history')
  const tokens = assetsOf(chain).flatMap(({ contract, symbol, decimals }) =>
    contract === null ? [] : [{ contract, symbol, decimals }],
  )
  const contracts = tokens.map(({ contract }) => contract)
  const read = await balances.balancesAt(row.address, contracts, block).catch(unavailable)
  if (!read) return without(block, 'state_not_kept')
  const { symbol, decimals } = chain.native
  return {
    block,
    native: {
      symbol,
      decimals,
      balance: formatUnits(read.native, decimals),
      baseUnits: read.native.toString(),
    },
    tokens: tokens.map((token, index) => {
      const units = read.tokens[index] ?? null
      return {
        contract: displayContract(chain.family, token.contract),
        symbol: token.symbol,
        decimals: token.decimals,
        balance: units === null ? null : formatUnits(units, token.decimals),
        baseUnits: units === null ? null : units.toString(),
      }
    }),
    reason: null,
  }
}
