import type { ProviderState } from '../src/chains/providers/providers.ts'
import { nodeReport, reportChain } from '../src/health/reportChain.ts'
import { messageOf } from '../src/platform/errors.ts'
import { repeat } from '../src/platform/repeat.ts'
import type { IndexerContext } from './context.ts'
import type { Tip } from './tip.ts'

const everyMs = 10_000

/** Reports the chain and its nodes to operators, while this process leads. A failure is only logged. */
export function reportHealth(
  { db, chain, log, signal }: Pick<IndexerContext, 'db' | 'chain' | 'log' | 'signal'>,
  tip: Tip,
  nodes: () => readonly ProviderState[],
): Promise<void> {
  const failed = (error: unknown): void =>
    log.warn({ err: messageOf(error) }, 'the state of the chain could not be reported')
  return repeat(signal, { everyMs, failed }, () =>
    reportChain(db, chain.name, {
      head: tip.height(),
      isStale: tip.isStale(),
      isUnreadable: tip.isUnreadable(),
      nodes: nodes().map(nodeReport),
    }),
  )
}
