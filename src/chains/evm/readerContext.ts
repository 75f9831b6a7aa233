import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { Surveyed } from './capabilities.ts'
import type { EvmRules } from './movements.ts'

/** What reading an EVM chain works with. */
export interface EvmReaderContext {
  providers: Providers<JsonRpc>
  survey: Surveyed
  rules: EvmRules
}
