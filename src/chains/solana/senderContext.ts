import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { ConfiguredChain } from '../registry.ts'

/** What sending on Solana, and reading balances there, works with. */
export interface SolanaSenderContext {
  providers: Providers<JsonRpc>
  chain: Pick<ConfiguredChain, 'tokens' | 'native' | 'byFinalizedTag' | 'confirmations'>
}
