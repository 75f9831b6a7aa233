import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import type { SweepStatus } from './nextSweep.ts'

export interface ListedSweep {
  id: string
  chain: string
  address: string
  token: string
  decimals: number
  /** Base units. */
  amount: string
  status: SweepStatus
  reason: string | null
  txId: string | null
  createdAt: Date
}

const maxListed = 200

/** Sweeps that are not over, newest first, and how many there are. */
export async function listOpenSweeps(db: Queryable): Promise<{ sweeps: ListedSweep[]; total: number }> {
  const sweeps = await db.query<ListedSweep>(
    `select s.id, s.chain, s.address, s.token, s.decimals, s.amount::text, s.status, s.reason, i.tx_id as "txId", s.created_at as "createdAt"
     from sweeps s left join intents i on i.id = s.intent_id where s.status not in ('done', 'failed') order by s.id desc limit $1`,
    [maxListed],
  )
  const [count] = await db.query<{ total: number }>(
    "select count(*)::int as total from sweeps where status not in ('done', 'failed')",
  )
  return { sweeps, total: count?.total ?? 0 }
}

/**
 * Has every deposit address of a chain swept that may hold something, regardless of its business's settings
 * and of the cost; limits of fees and gas hold all the same. Audited.
 * @returns how many addresses are planned
 */
export function sweepNow({ db }: { db: Db }, actor: Actor, chain: string): Promise<number> {
  return db.tx(async (tx) => {
    const rows = await tx.query(
      'update sweep_sources set forced = true, next_at = now() where chain = $1 returning address',
      [chain],
    )
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'sweeps.forced',
      target: chain,
      after: { addresses: rows.length },
    })
    await tx.query("select pg_notify('cowry_sweeps', '')")
    return rows.length
  })
}

/** Sets the treasury's low-water mark of an asset; null: the default. In base units. Audited. */
export async function setLowWater(
  { db }: { db: Db },
  actor: Actor,
  of: { chain: string; token: string },
  value: bigint | null,
): Promise<void> {
  await db.tx(async (tx) => {
    const key = [of.chain, of.token]
    const [before] = await tx.query<{ low: string }>(
      'delete from treasury_levels where chain = $1 and token = $2 returning low_water as low',
      key,
    )
    if (value !== null)
      await tx.query('insert into treasury_levels (chain, token, low_water) values ($1, $2, $3)', [
        ...key,
        value.toString(),
      ])
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'treasury.low_water_set',
      target: `${of.chain}:${of.token}`,
      before: { lowWater: before?.low ?? null },
      after: { lowWater: value?.toString() ?? null },
    })
  })
}
