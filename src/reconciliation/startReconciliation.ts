import type { WorkerContext } from '../capability.ts'
import type { Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import { reconcileChain } from './reconcileChain.ts'

type Context = Pick<
  WorkerContext,
  'db' | 'log' | 'metrics' | 'chains' | 'connectionOf' | 'stopping' | 'onStop'
>

/** Between two polls for a chain whose check is due. */
const everyMs = 60_000

/**
 * Compares each chain with the books once a day, until the worker stops. Any number of workers may run this.
 */
export function startReconciliation({
  db,
  log,
  metrics,
  chains,
  connectionOf,
  stopping,
  onStop,
}: Context): void {
  const startedAt = Date.now()
  metrics.collected(
    'ledger_drift',
    'Differences that the last close of the ledger found; 0 when the books are sound',
    ['kind'],
    async (gauge) => {
      const last = await lastChecks(db)
      gauge.set(
        { kind: 'chain' },
        last.reduce((sum, { drifts }) => sum + drifts, 0),
      )
    },
  )
  metrics.collected(
    'chain_check_age_seconds',
    'Time since the books were last compared with the chain; before the first, since the start',
    ['chain'],
    async (gauge) => {
      gauge.reset()
      for (const { name } of chains) gauge.set({ chain: name }, (Date.now() - startedAt) / 1000)
      for (const { chain, age } of await lastChecks(db)) gauge.set({ chain }, age)
    },
  )
  const balancesOf = async (chain: string) => (await (await connectionOf(chain)).accounts()).balances
  const ctx = { db, log, balancesOf, pauseMs: null, signal: stopping }
  const failed = (error: unknown): void =>
    log.warn({ err: messageOf(error) }, 'the books were not compared with the chains; retrying')
  const running = repeat(stopping, { everyMs, failed }, async () => {
    for (const chain of chains) if (!stopping.aborted) await reconcileChain(ctx, chain, 'due')
  })
  onStop(() => running)
}

/** The last check of each chain that could compare. */
const lastChecks = (db: Queryable) =>
  db.query<{ chain: string; drifts: number; age: number }>(
    `select distinct on (chain) chain, drifts, extract(epoch from clock_timestamp() - ended_at)::float8 as age
     from chain_checks where drifts is not null order by chain, id desc`,
  )
