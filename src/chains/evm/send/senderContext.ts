import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { Providers } from '../../providers/providers.ts'
import type { Chain } from '../../registry.ts'

export interface EvmSenderContext {
  providers: Providers<JsonRpc>
  chain: Chain
}
