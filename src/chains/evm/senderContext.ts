import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { Chain } from '../registry.ts'

/** What sending on an EVM chain works with. */
export interface EvmSenderContext {
  providers: Providers<JsonRpc>
  chain: Chain
}
