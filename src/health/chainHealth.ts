import { type ConfiguredChain, staleAfterMs } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'
import { type LowGas, readLowGas } from '../sweeps/lowGas.ts'
import type { NodeReport } from './reportChain.ts'

/** Leaders report every 10 seconds. */
export const silentAfterSeconds = 120

/**
 * `silent`: no indexer reports; `unreadable`: it waits for an update; `halted`: no new block for longer than
 * expected; `behind`: the newest block that was read is old; `reading`: none was read yet.
 */
export type ChainState = 'ok' | 'reading' | 'behind' | 'halted' | 'unreadable' | 'silent'

export interface ChainHealth {
  chain: string
  state: ChainState
  /** Of the newest block that was read. */
  height: number | null
  lastBlockAt: string | null
  head: number | null
  lag: number | null
  /** Blocks below the newest one that were not read. */
  gaps: number
  /** Blocks whose internal transfers were not read. */
  untraced: number
  nodes: NodeReport[]
  /** Nothing is signed or sent. */
  paused: { reason: string; since: string } | null
  lowGas: Omit<LowGas, 'chain'> | null
  reportedAt: string | null
}

interface Row {
  chain: string
  height: string | null
  lastBlockAt: Date | null
  gaps: string | null
  untraced: string | null
  head: string | null
  isStale: boolean | null
  isUnreadable: boolean | null
  nodes: NodeReport[] | null
  reportedAt: Date | null
  silentSeconds: number | null
  pausedFor: string | null
  pausedAt: Date | null
}

const select = `
  select n.chain, c.height, (select b.time from blocks b where b.chain = n.chain and b.height = c.height and b.canonical) as "lastBlockAt",
    (select sum(upper(r) - lower(r)) from unnest(int8multirange(int8range(lower(c.covered), c.height + 1)) - c.covered) r) as gaps,
    (select sum(upper(r) - lower(r)) from unnest(c.covered - c.traced) r) as untraced,
    r.head, r.is_stale as "isStale", r.is_unreadable as "isUnreadable", r.nodes, r.reported_at as "reportedAt",
    extract(epoch from now() - r.reported_at)::float8 as "silentSeconds", p.reason as "pausedFor", p.paused_at as "pausedAt"
  from unnest($1::text[]) with ordinality as n(chain, place)
    left join chain_cursors c on c.chain = n.chain
    left join chain_reports r on r.chain = n.chain
    left join sending_pauses p on p.chain = n.chain
  order by n.place`

interface Context {
  db: Queryable
  chains: readonly ConfiguredChain[]
}

/** Each configured chain: how far it is read, its nodes, and if money can leave. */
export async function chainHealth({ db, chains }: Context): Promise<ChainHealth[]> {
  const [rows, lowGas] = await Promise.all([
    db.query<Row>(select, [chains.map(({ name }) => name)]),
    readLowGas(db, chains),
  ])
  return rows.flatMap((row) => {
    const chain = chains.find(({ name }) => name === row.chain)
    return chain
      ? [
          present(
            chain,
            row,
            lowGas.find((each) => each.chain === row.chain),
          ),
        ]
      : []
  })
}

function present(chain: ConfiguredChain, row: Row, low: LowGas | undefined): ChainHealth {
  const height = row.height === null ? null : Number(row.height)
  // Blocks are stored between two reports: the head is then at least as high.
  const head = row.head === null ? null : Math.max(Number(row.head), height ?? 0)
  return {
    chain: chain.name,
    state: stateOf(chain, row),
    height,
    lastBlockAt: row.lastBlockAt?.toISOString() ?? null,
    head,
    lag: height === null || head === null ? null : head - height,
    gaps: Number(row.gaps ?? 0),
    untraced: Number(row.untraced ?? 0),
    nodes: row.nodes ?? [],
    paused:
      row.pausedFor !== null && row.pausedAt !== null
        ? { reason: row.pausedFor, since: row.pausedAt.toISOString() }
        : null,
    lowGas: low ? { symbol: low.symbol, balance: low.balance, lowWater: low.lowWater } : null,
    reportedAt: row.reportedAt?.toISOString() ?? null,
  }
}

function stateOf(chain: ConfiguredChain, row: Row): ChainState {
  if (row.silentSeconds === null || row.silentSeconds > silentAfterSeconds) return 'silent'
  if (row.isUnreadable) return 'unreadable'
  if (row.isStale) return 'halted'
  if (row.lastBlockAt === null) return 'reading'
  return Date.now() - row.lastBlockAt.getTime() > staleAfterMs(chain) ? 'behind' : 'ok'
}
