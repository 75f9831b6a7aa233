import type { ComputeThreads } from '../../../platform/computeThreads.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { Providers } from '../../providers/providers.ts'

/** Dependencies of the Solana readers. */
export interface SolanaReaderContext {
  providers: Providers<JsonRpc>
  /** Names of providers that turned out not to support `transactionDetails: accounts`. */
  withoutLight: Set<string>
  /** Read light blocks from their bytes. */
  threads?: ComputeThreads | undefined
  /**
   * Called for each light block that was read by `JSON.parse`, because `scanBlock` did not understand the
   * answer.
   */
  notUnderstood?(provider: string): void
}
