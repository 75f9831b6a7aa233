import type { Queryable, Tx } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { type Created, createdWithin, findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { type ImportStatus, type MonitoringImport, monitoringImportModel } from './models.ts'

/** An import as the API answers it. */
export interface ImportView {
  id: string
  chain: string
  fromBlock: number
  toBlock: number
  /** The next block to read. */
  nextBlock: number
  addresses: number
  /**
   * Transfers of the business's monitored addresses found in the blocks read so far, since the import was
   * requested.
   */
  found: number
  status: Exclude<ImportStatus, 'begun'>
  /** From 0 to 1, to four decimals. */
  progress: number
  /** Why it is stuck or failed; does not name a node. */
  lastError: string | null
  createdAt: string
  completedAt: string | null
}

/** The import that new addresses join: a waiting one with its range, or one not created yet. */
export interface JoinedImport {
  id: string
  range: { from: number; to: number } | null
}

/**
 * Finds the import that new addresses join: the business's waiting import on the chain, locked so that it
 * does not start before this transaction ends, or a new one. One import per business runs at a time, so that
 * no business waits for the many imports of another.
 */
export const importToJoin = (tx: Tx, businessId: string, chain: string): Promise<JoinedImport> =>
  findToJoin(tx, businessId, chain, 'for update')

/** @param lock empty: the import may start at any time */
async function findToJoin(
  db: Queryable,
  businessId: string,
  chain: string,
  lock: 'for update' | '',
): Promise<JoinedImport> {
  const [waiting] = await db.query<{ id: string; fromHeight: string; toHeight: string }>(
    `select id, from_height as "fromHeight", to_height as "toHeight" from monitoring_imports
     where business_id = $1 and chain = $2 and status = 'pending' order by id limit 1 ${lock}`,
    [businessId, chain],
  )
  if (!waiting) return { id: newId(), range: null }
  return { id: waiting.id, range: { from: Number(waiting.fromHeight), to: Number(waiting.toHeight) } }
}

/**
 * Requests that a range of blocks is read again for the addresses whose watches name the import.
 * @param joined from `importToJoin`, in the same transaction
 * @param request.to the cursor
 * @returns the number of blocks added to the import
 */
export async function startImport(
  tx: Tx,
  { id, range }: JoinedImport,
  request: { businessId: string; chain: string; from: number; to: number; addresses: number },
): Promise<number> {
  await tx.query(
    `insert into monitoring_imports as i (id, business_id, chain, from_height, to_height, next_height, addresses) values ($1, $2, $3, $4, $5, $4, $6)
     on conflict (id) do update set from_height = least(i.from_height, $4), next_height = least(i.from_height, $4), to_height = greatest(i.to_height, $5),
       addresses = i.addresses + $6`,
    [id, request.businessId, request.chain, request.from, request.to, request.addresses],
  )
  return additionalBlocks(range, request)
}

/** Number of blocks that addresses would add, as known before the transaction that adds them. */
export async function expectedBlocks(
  db: Queryable,
  request: { businessId: string; chain: string; from: number; to: number },
): Promise<number> {
  return additionalBlocks((await findToJoin(db, request.businessId, request.chain, '')).range, request)
}

function additionalBlocks(range: JoinedImport['range'], request: { from: number; to: number }): number {
  const before = range ? range.to - range.from + 1 : 0
  return (
    Math.max(range?.to ?? request.to, request.to) -
    Math.min(range?.from ?? request.from, request.from) +
    1 -
    before
  )
}

export interface ImportFilter extends Created {
  chain?: string
  status?: readonly ImportView['status'][]
}

/** One that has begun is shown as running. */
const storedAs = (status: ImportView['status']): ImportStatus[] =>
  status === 'running' ? ['running', 'begun'] : [status]

/** Imports of the business, newest first by default. */
export async function listImports(
  ctx: { db: ModelDb },
  businessId: string,
  { chain, status, ...created }: ImportFilter,
  request: PageRequest,
): Promise<Page & { imports: ImportView[] }> {
  return ctx.db.snapshot(async (tx) => {
    const where = {
      businessId,
      ...(chain !== undefined && { chain }),
      ...(status !== undefined && { status: status.flatMap(storedAs) }),
      ...createdWithin(created),
    }
    const { rows, page } = await findPage(
      monitoringImportModel(ctx.db.sequelize),
      where,
      request,
      tx.transaction,
    )
    return { imports: rows.map(presentImport), ...page }
  })
}

/** @throws ApiError 404, also for another business's import */
export async function getImport(ctx: { db: ModelDb }, businessId: string, id: string): Promise<ImportView> {
  const row = isUuid(id)
    ? await monitoringImportModel(ctx.db.sequelize).findOne({ where: { id, businessId } })
    : null
  if (!row) throw notFound('Import')
  return presentImport(row)
}

function presentImport(row: MonitoringImport): ImportView {
  const [from, to, next] = [Number(row.fromHeight), Number(row.toHeight), Number(row.nextHeight)]
  return {
    id: row.id,
    chain: row.chain,
    fromBlock: from,
    toBlock: to,
    nextBlock: next,
    addresses: row.addresses,
    found: Number(row.found),
    status: row.status === 'begun' ? 'running' : row.status,
    progress: Math.floor(((next - from) / (to - from + 1)) * 10_000) / 10_000,
    lastError: row.lastError,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  }
}
