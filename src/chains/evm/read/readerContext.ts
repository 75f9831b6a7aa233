import type { ComputeThreads } from '../../../platform/computeThreads.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { Providers } from '../../providers/providers.ts'
import type { Surveyed } from './capabilities.ts'
import type { EvmRules } from './movements.ts'

export interface EvmReaderContext {
  providers: Providers<JsonRpc>
  survey: Surveyed
  rules: EvmRules
  /** Read answers from their bytes, far below the head. */
  threads?: ComputeThreads | undefined
  /**
   * How long to wait for another provider to have a block whose header this version cannot prove; 30 s by
   * default.
   */
  crossCheckMs?: number | undefined
  /** Called for each part of a block that a provider's answer could not prove. */
  unproven?(provider: string, what: UnprovenError): void
  /** Called for each answer that was not understood from its bytes, and was read by JavaScript. */
  notUnderstood?(provider: string): void
}

/**
 * `header`: it has a field that this version does not know. `transactions`: one has a type that cannot be
 * proven.
 */
export type UnprovenError = 'header' | 'transactions'
