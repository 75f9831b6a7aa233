import type { BlockReader } from '../chains/chain.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { ActionSender } from '../chains/sending.ts'
import type { Prover } from '../custody/proof.ts'
import type { Db } from '../platform/database/db.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { Intent, PurposesContext } from '../txmgr/intents.ts'
import type { NativeFollowing } from './native/followNative.ts'

/** What a worker takes stakes further with. */
export interface StakingContext extends PurposesContext, NativeFollowing {
  db: Db
  log: Log
  chains: readonly ConfiguredChain[]
  /** Proves the intents of this process to the treasury. */
  prover: Prover
  reader(chain: string): Promise<Pick<BlockReader, 'header'>>
  sender(chain: string): Promise<Pick<ActionSender, 'outcome'>>
  /** Uses up a nonce of a payment that failed without a block, where no transaction has it. */
  fillNonce(payment: Intent, nonce: bigint): Promise<void>
  /** Between two steps of a stake that waits for something; null: the default. */
  pollMs: number | null
}
