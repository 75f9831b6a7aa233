import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { Providers } from '../../providers/providers.ts'
import type { ConfiguredChain } from '../../registry.ts'

/** Dependencies of the Solana sender and balance reader. */
export interface SolanaSenderContext {
  providers: Providers<JsonRpc>
  chain: Pick<ConfiguredChain, 'tokens' | 'native' | 'byFinalizedTag' | 'confirmations'> &
    Partial<Pick<ConfiguredChain, 'cctp'>>
}
