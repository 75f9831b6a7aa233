import { ProviderError } from '../src/chains/chain.ts'
import { messageOf } from '../src/platform/errors.ts'
import type { Log } from '../src/platform/telemetry/log.ts'

/** For `repeat`: logs that the chain could not be read. Other errors end the indexer. */
export const logUnreadable =
  (log: Log, message: string) =>
  (error: unknown): void => {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ err: messageOf(error) }, message)
  }
