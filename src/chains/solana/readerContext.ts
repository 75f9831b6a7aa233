import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { Providers } from '../providers/providers.ts'

/** What reading Solana works with. */
export interface SolanaReaderContext {
  providers: Providers<JsonRpc>
  /** Names of providers that were found not to know `transactionDetails: accounts`. */
  withoutLight: Set<string>
}
