import type { ChainAccounts } from '../chainAccounts.ts'
import type { Providers } from '../providers/providers.ts'
import type { Rest } from '../providers/rest.ts'
import type { ConfiguredChain } from '../registry.ts'
import { tronBalanceReader } from './balanceReader.ts'
import { cachedPrices } from './fees.ts'
import { tronSweepReader } from './sweepReader.ts'
import { tronTransferSender } from './transferSender.ts'

/** Opens the chain's balance reader and transfer sender. */
export function openAccounts(ctx: { providers: Providers<Rest>; chain: ConfiguredChain }): ChainAccounts {
  const planning = { ...ctx, prices: cachedPrices() }
  return {
    balances: tronBalanceReader(ctx),
    sender: tronTransferSender(planning),
    sweeps: tronSweepReader(planning),
  }
}
