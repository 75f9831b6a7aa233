import type { ProviderState } from '../chains/providers/providers.ts'
import type { Queryable } from '../platform/database/db.ts'

/** A node as an operator sees it: `resting` after failures, it is asked again soon. */
export interface NodeReport {
  name: string
  state: 'ok' | 'resting' | 'wrong_chain'
  /** Of the head, made worse by failures; null: not measured. */
  latencyMs: number | null
}

export interface ChainReport {
  head: number | null
  /** The chain gives no new block for longer than expected. */
  isStale: boolean
  /** A block holds something that this version does not know. */
  isUnreadable: boolean
  nodes: NodeReport[]
}

/** Stores what the leader of a chain knows of it, in place of its last report. */
export async function reportChain(db: Queryable, chain: string, report: ChainReport): Promise<void> {
  await db.query(
    `insert into chain_reports (chain, head, is_stale, is_unreadable, nodes) values ($1, $2, $3, $4, $5)
     on conflict (chain) do update set head = excluded.head, is_stale = excluded.is_stale,
       is_unreadable = excluded.is_unreadable, nodes = excluded.nodes, reported_at = now()`,
    [chain, report.head, report.isStale, report.isUnreadable, JSON.stringify(report.nodes)],
  )
}

/** The name is a host: a URL often holds a key. */
export const nodeReport = ({ name, open, wrongChain, score }: ProviderState): NodeReport => ({
  name,
  state: stateOf({ open, wrongChain }),
  latencyMs: score === null ? null : Math.round(score),
})

function stateOf({ open, wrongChain }: Pick<ProviderState, 'open' | 'wrongChain'>): NodeReport['state'] {
  if (wrongChain) return 'wrong_chain'
  return open ? 'resting' : 'ok'
}
