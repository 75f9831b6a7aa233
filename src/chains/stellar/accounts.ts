import type { ChainAccounts } from '../chainAccounts.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { ConfiguredChain } from '../registry.ts'
import { stellarBalanceReader } from './balanceReader.ts'
import { stellarTransferSender } from './transferSender.ts'

/** Balances of the chain's addresses, and transfers from them. */
export function openAccounts(ctx: { providers: Providers<JsonRpc>; chain: ConfiguredChain }): ChainAccounts {
  return { balances: stellarBalanceReader(ctx), sender: stellarTransferSender(ctx) }
}
