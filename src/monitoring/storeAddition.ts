import { knownChain } from '../chains/registry.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { outboxDone } from '../platform/database/outbox.ts'
import { ApiError } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { MonitoredTokens } from './models.ts'
import {
  type MonitoringCaps,
  type StoredMonitoring,
  storeMonitoring,
  type WantedMonitoring,
} from './storeMonitoring.ts'

/** Rows per statement. */
const pieceSize = 500

interface Addition {
  id: string
  businessId: string
  chain: string
  tokens: MonitoredTokens
  fromHeight: string | null
}

/**
 * Monitors the addresses of an addition in one transaction, in pieces: all become visible at its commit, or
 * not one. Progress is written outside that transaction. After a crash nothing is stored and the job runs
 * again; an addition stored before is left unchanged.
 * @returns the outcome; `elsewhere`: another worker stores it right now
 */
export async function storeAddition(
  ctx: MonitoringCaps & { db: Db },
  { additionId, outboxId }: { additionId: string; outboxId: string },
): Promise<'completed' | 'failed' | 'done before' | 'elsewhere'> {
  try {
    const outcome = await ctx.db.tx(async (tx) => {
      const [lock] = await tx.query<{ mine: boolean }>(
        'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as mine',
        [`cowry addition ${additionId}`],
      )
      if (!lock?.mine) return 'elsewhere'
      const [addition] = await tx.query<Addition>(
        `select id, business_id as "businessId", chain, tokens, from_height as "fromHeight" from monitoring_additions
         where id = $1 and status in ('pending', 'running')`,
        [additionId],
      )
      if (addition) await store(ctx, tx, addition)
      await outboxDone(tx, outboxId)
      return addition ? 'completed' : 'done before'
    })
    if (outcome === 'completed') failpoint('additions.stored')
    return outcome
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await fail(ctx.db, additionId, outboxId, `${error.error}: ${error.publicText}`)
    return 'failed'
  }
}

async function store(ctx: MonitoringCaps & { db: Db }, tx: Tx, addition: Addition): Promise<void> {
  const { id, businessId, tokens, fromHeight: from } = addition
  const chain = knownChain(addition.chain)
  if (!chain) throw new Error(`addresses are added on ${addition.chain}, an unknown chain`)
  const rows = await tx.query<WantedMonitoring['rows'][number]>(
    'select address, metadata from monitoring_addition_rows where addition_id = $1 order by place',
    [id],
  )
  const wanted = { businessId, chain, tokens, fromBlock: from === null ? null : Number(from), rows }
  await ctx.db.query(
    "update monitoring_additions set status = 'running', stored = 0 where id = $1 and status in ('pending', 'running')",
    [id],
  )
  const stored = await storeMonitoring(tx, ctx, wanted, async (done) => {
    failpoint('additions.piece')
    await ctx.db.query("update monitoring_additions set stored = $2 where id = $1 and status = 'running'", [
      id,
      done,
    ])
  })
  const added = await answer(tx, id, rows, stored)
  await tx.query(
    "update monitoring_additions set status = 'completed', stored = total, added = $2, import_id = $3, completed_at = now() where id = $1",
    [id, added, stored.importId],
  )
}

/** Stores the result for each address. @returns the number of addresses added */
async function answer(
  tx: Tx,
  id: string,
  rows: readonly { address: string }[],
  stored: StoredMonitoring,
): Promise<number> {
  const results = stored.results(rows.map(({ address }) => address))
  for (let from = 0; from < results.length; from += pieceSize) {
    const piece = results.slice(from, from + pieceSize)
    await tx.query(
      `update monitoring_addition_rows r set monitored_id = a.monitored_id, created = a.created, metadata = null
       from unnest($3::uuid[], $4::boolean[]) with ordinality as a(monitored_id, created, n)
       where r.addition_id = $1 and r.place = $2::integer + a.n - 1`,
      [id, from, piece.map(({ entry }) => entry.id), piece.map(({ created }) => created)],
    )
  }
  return results.filter(({ created }) => created).length
}

const fail = (db: Db, id: string, outboxId: string, why: string): Promise<void> =>
  db.tx(async (tx) => {
    await tx.query(
      "update monitoring_additions set status = 'failed', last_error = $2, completed_at = now() where id = $1 and status in ('pending', 'running')",
      [id, why],
    )
    await outboxDone(tx, outboxId)
  })
