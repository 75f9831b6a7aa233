import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'
import type { Surveyed } from './capabilities.ts'
import type { EvmRules } from './movements.ts'

/** What reading an EVM chain works with. */
export interface EvmReaderContext {
  providers: Providers<JsonRpc>
  survey: Surveyed
  rules: EvmRules
  /** How long another provider may not have a block whose header this version cannot prove; 30 s by default. */
  crossCheckMs?: number | undefined
  /** Hears of what a provider's answer could not prove. */
  unproven?(provider: string, what: Unproven): void
}

/** A header with a field that this version does not know; a block with transactions of such a type. */
export type Unproven = 'header' | 'transactions'
