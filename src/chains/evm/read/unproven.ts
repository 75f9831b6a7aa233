import type { Log } from '../../../platform/telemetry/log.ts'
import type { ProviderObserver } from '../../providers/providers.ts'
import type { EvmReaderContext } from './readerContext.ts'

/** Counts unproven headers and transactions; logs the first unproven header of each provider. */
export function createUnproven(
  observe: Pick<ProviderObserver, 'unproven'>,
  log: Log,
): NonNullable<EvmReaderContext['unproven']> {
  const logged = new Set<string>()
  return (provider, what) => {
    observe.unproven?.(provider, what)
    if (what !== 'header' || logged.has(provider)) return
    logged.add(provider)
    log.warn(
      { provider },
      'a block header has an unknown field: its hash cannot be checked, and the header rests on the agreement of providers. Update Cowry',
    )
  }
}
