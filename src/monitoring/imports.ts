import type { Db, Tx } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { type ImportStatus, type MonitoringImport, monitoringImportModel } from './models.ts'

/** An import as the API answers it. */
export interface ImportView {
  id: string
  chain: string
  fromBlock: number
  toBlock: number
  /** The next one to be read. */
  nextBlock: number
  addresses: number
  /** Movements of the business's monitored addresses in the blocks read so far that were found since the import was asked for. */
  found: number
  status: Exclude<ImportStatus, 'begun'>
  /** From 0 to 1, to four decimals. */
  progress: number
  /** Why it does not get on, in words that name no node. */
  lastError: string | null
  createdAt: string
  completedAt: string | null
}

/**
 * Has the blocks of a range read again. One that waits already for the business's turn on the chain takes the addresses in: no
 * business has more than two, so that none waits for the many of another.
 * @param wanted.to the cursor
 * @returns its id
 */
export async function startImport(
  tx: Tx,
  wanted: { businessId: string; chain: string; from: number; to: number; addresses: number },
): Promise<string> {
  const { businessId, chain, from, to, addresses } = wanted
  const [waiting] = await tx.query<{ id: string }>(
    `update monitoring_imports set from_height = least(from_height, $3), next_height = least(from_height, $3), to_height = greatest(to_height, $4),
       addresses = addresses + $5
     where id = (select id from monitoring_imports where business_id = $1 and chain = $2 and status = 'pending' order by id limit 1 for update)
       and status = 'pending' returning id`,
    [businessId, chain, from, to, addresses],
  )
  if (waiting) return waiting.id
  const id = newId()
  await tx.query(
    'insert into monitoring_imports (id, business_id, chain, from_height, to_height, next_height, addresses) values ($1, $2, $3, $4, $5, $4, $6)',
    [id, businessId, chain, from, to, addresses],
  )
  return id
}

/** Imports of the business, the newest first unless asked otherwise. */
export async function listImports(
  ctx: { db: Db },
  businessId: string,
  { chain }: { chain?: string | undefined },
  request: PageRequest,
): Promise<Page & { imports: ImportView[] }> {
  return ctx.db.snapshot(async (tx) => {
    const where = { businessId, ...(chain !== undefined && { chain }) }
    const { rows, page } = await findPage(monitoringImportModel(ctx.db.sequelize), where, request, tx.transaction)
    return { imports: rows.map(presentImport), ...page }
  })
}

/** @throws ApiError 404 where it is another business's */
export async function getImport(ctx: { db: Db }, businessId: string, id: string): Promise<ImportView> {
  const row = isUuid(id) ? await monitoringImportModel(ctx.db.sequelize).findOne({ where: { id, businessId } }) : null
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
