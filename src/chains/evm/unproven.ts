import type { Log } from '../../platform/log.ts'
import type { ProviderObserver } from '../providers/providers.ts'
import type { EvmReaderContext } from './readerContext.ts'

/** Counts what providers' answers could not prove; logs a provider's first header. */
export function createUnproven(observe: Pick<ProviderObserver, 'unproven'>, log: Log): NonNullable<EvmReaderContext['unproven']> {
  const logged = new Set<string>()
  return (provider, what) => {
    observe.unproven?.(provider, what)
    if (what !== 'header' || logged.has(provider)) return
    logged.add(provider)
    log.warn(
      { provider },
      'a block header has a field that this version does not know: its hash cannot be computed, and it rests on the word of nodes',
    )
  }
}
