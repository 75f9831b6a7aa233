import type { Chain } from '../chains/registry.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { enqueue } from '../platform/database/outbox.ts'
import { notFound } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { decodeNumber, idOfNumber, type Page, type PageRequest, pageOf } from '../platform/pages.ts'
import { capOf, capReached } from '../rateLimits/caps.ts'
import { doCounted } from '../rateLimits/dailyCaps.ts'
import { countMonitored } from './listMonitored.ts'
import type { MonitoredTokens } from './models.ts'
import { type MonitoringContext, type NewMonitoring, requireReadable } from './monitorAddresses.ts'
import { requireEntries } from './request.ts'
import { displayOn } from './view.ts'

/** A request with more addresses becomes an addition, which the worker stores. */
export const maxAtOnce = 1000
/** Rows per statement. */
const pieceSize = 500

export type AdditionStatus = 'pending' | 'running' | 'completed' | 'failed'

/** Addresses of one request that the worker stores, as the API answers it. */
export interface AdditionView {
  id: string
  chain: string
  status: AdditionStatus
  /** Number of addresses in the request. */
  total: number
  /**
   * Share of them that is stored, from 0 to 1, to four decimals. All are monitored from its completion on.
   */
  progress: number
  /** Addresses that were new, and those monitored before; null until it is completed. */
  added: number | null
  existing: number | null
  importId: string | null
  /** Why it failed; then no address was added. */
  lastError: string | null
  createdAt: string
  completedAt: string | null
}

/** One address of an addition. */
export interface AddedAddress {
  /** Id of the monitored address; null until the addition is completed. */
  id: string | null
  address: string
  created: boolean | null
}

interface Row {
  id: string
  chain: string
  status: AdditionStatus
  total: number
  stored: number
  added: number | null
  importId: string | null
  lastError: string | null
  createdAt: Date
  completedAt: Date | null
}

const rowColumns = `id, chain, status, total, stored, added, import_id as "importId", last_error as "lastError", created_at as "createdAt",
  completed_at as "completedAt"`

/** SQL: number of unfinished additions of business `$1`. */
export const openAdditionsSql =
  "select count(*) from monitoring_additions where business_id = $1 and status in ('pending', 'running')"

/**
 * Lets the worker monitor many addresses: all or not one.
 * @param also runs in the transaction that stores the request
 * @throws ApiError 400 naming the wrong fields; 409 `chain_not_indexed`, `cap_reached`; errors of
 * `countImport`
 */
export async function requestAddition(
  ctx: MonitoringContext,
  businessId: string,
  request: NewMonitoring,
  also: (tx: Tx, result: AdditionView) => Promise<void>,
): Promise<AdditionView> {
  const { chain, addresses, fromBlock } = request
  const normal = await requireEntries(chain, addresses, false)
  await requireRoomFor(ctx, businessId, chain, normal)
  const blocks =
    fromBlock === undefined
      ? 0
      : (await requireReadable(ctx.db, chain, fromBlock, ctx.importBlocks)) - fromBlock + 1
  const counted = await ctx.countImport(businessId, blocks)
  const view = await doCounted(counted, () => store(ctx.db, businessId, request, normal, also))
  failpoint('api.addition-stored')
  return view
}

function store(
  db: Db,
  businessId: string,
  { chain, addresses, tokens = 'known', fromBlock }: NewMonitoring,
  normal: readonly string[],
  also: (tx: Tx, result: AdditionView) => Promise<void>,
): Promise<AdditionView> {
  return db.tx(async (tx) => {
    const id = newId()
    const [row] = await tx.query<Row>(
      `insert into monitoring_additions (id, business_id, chain, tokens, from_height, total) values ($1, $2, $3, $4, $5, $6) returning ${rowColumns}`,
      [id, businessId, chain.name, tokens satisfies MonitoredTokens, fromBlock ?? null, normal.length],
    )
    if (!row) throw new Error('an addition was not stored')
    for (let from = 0; from < normal.length; from += pieceSize) {
      const piece = normal.slice(from, from + pieceSize)
      const metadata = addresses
        .slice(from, from + pieceSize)
        .map((entry) => entry.metadata && JSON.stringify(entry.metadata))
      await tx.query(
        `insert into monitoring_addition_rows (addition_id, place, address, metadata)
         select $1, $2::integer + n - 1, address, metadata from unnest($3::text[], $4::jsonb[]) with ordinality as r(address, metadata, n)`,
        [id, from, piece, metadata.map((each) => each ?? null)],
      )
    }
    await enqueue(tx, 'additions', [{ additionId: id }])
    const shown = present(row)
    await also(tx, shown)
    return shown
  })
}

/**
 * Refuses early what the cap would refuse later; the worker counts again. @throws ApiError 409 `cap_reached`
 */
async function requireRoomFor(
  ctx: Pick<MonitoringContext, 'db' | 'caps'>,
  businessId: string,
  chain: Pick<Chain, 'name'>,
  normal: readonly string[],
): Promise<void> {
  const cap = await capOf(ctx.db, ctx.caps, businessId, 'monitoredAddresses')
  let total = await countMonitored(ctx.db, businessId, undefined)
  const addresses = [...new Set(normal)]
  for (let from = 0; from < addresses.length && total <= cap; from += pieceSize) {
    const piece = addresses.slice(from, from + pieceSize)
    const [row] = await ctx.db.query<{ n: number }>(
      `select count(*)::int as n from monitored_addresses
       where business_id = $1 and chain = $2 and address = any($3::text[]) and removed_at is null`,
      [businessId, chain.name, piece],
    )
    total += piece.length - (row?.n ?? 0)
  }
  if (total > cap) throw capReached('monitoredAddresses', cap)
}

/** @throws ApiError 404, also for another business's addition */
export async function getAddition(ctx: { db: Db }, businessId: string, id: string): Promise<AdditionView> {
  return present(await readAddition(ctx.db, businessId, id))
}

/** Addresses of an addition, in the order of the request. @throws ApiError 404 */
export async function listAdded(
  ctx: { db: Db },
  businessId: string,
  id: string,
  request: PageRequest,
): Promise<Page & { addresses: AddedAddress[] }> {
  const { chain, total } = await readAddition(ctx.db, businessId, id)
  const { page, limit, sort, cursor } = request
  const isForward = sort === 'ASC'
  const skipped = (page - 1) * limit
  let first = isForward ? skipped : total - skipped - limit
  if (cursor !== undefined) first = Number(decodeNumber(cursor)) + (isForward ? 1 : -limit)
  const rows = await ctx.db.query<AddedRow>(
    `select place, monitored_id as "monitoredId", address, created from monitoring_addition_rows
     where addition_id = $1 and place >= $2::bigint and place < $2::bigint + $3::int order by place ${sort}`,
    [id, first, limit],
  )
  const addresses = rows.map(({ monitoredId, address, created }) => ({
    id: monitoredId,
    address: displayOn(chain, address),
    created,
  }))
  const places = rows.map(({ place }) => ({ id: idOfNumber(place) }))
  return { addresses, ...pageOf(places, request, total) }
}

interface AddedRow {
  place: number
  monitoredId: string | null
  address: string
  created: boolean | null
}

async function readAddition(db: Queryable, businessId: string, id: string): Promise<Row> {
  const [row] = isUuid(id)
    ? await db.query<Row>(
        `select ${rowColumns} from monitoring_additions where id = $1 and business_id = $2`,
        [id, businessId],
      )
    : []
  if (!row) throw notFound('Addition')
  return row
}

const present = (row: Row): AdditionView => ({
  id: row.id,
  chain: row.chain,
  status: row.status,
  total: row.total,
  progress: row.status === 'completed' ? 1 : Math.floor((row.stored / row.total) * 10_000) / 10_000,
  added: row.added,
  existing: row.added === null ? null : row.total - row.added,
  importId: row.importId,
  lastError: row.lastError,
  createdAt: row.createdAt.toISOString(),
  completedAt: row.completedAt?.toISOString() ?? null,
})

/**
 * Fails additions whose job was given up, so that they no longer count as bulk calls of their business and
 * are deleted in time. An addition that a worker stores right now is left to that worker.
 */
export async function failDeadAdditions(db: Queryable): Promise<void> {
  await db.query(
    `update monitoring_additions a set status = 'failed', last_error = $1, completed_at = now()
     from outbox o where o.queue = 'additions' and o.dead_at is not null and a.id = (o.payload->>'additionId')::uuid
       and a.status in ('pending', 'running') and pg_try_advisory_xact_lock(hashtextextended('cowry addition ' || a.id, 0))`,
    ['Storing failed after all retries; no address was added. Send the request again'],
  )
}

/** Ended additions are shown for this long. */
const keptDays = 30

/** Deletes additions that ended before that, in pieces. */
export async function forgetAdditions(db: Db): Promise<void> {
  const over = "status in ('completed', 'failed') and completed_at < now() - $1 * interval '1 day'"
  for (;;) {
    const rows = await db.query(
      `delete from monitoring_addition_rows where (addition_id, place) in (
         select r.addition_id, r.place from monitoring_additions a join monitoring_addition_rows r on r.addition_id = a.id where ${over} limit 1000)
       returning 1`,
      [keptDays],
    )
    if (rows.length === 0) break
  }
  await db.query(`delete from monitoring_additions where ${over}`, [keptDays])
}
