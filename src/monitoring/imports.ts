import { notFound } from '../platform/errors.ts'
import { isUuid, newId } from '../platform/ids.ts'
import type { ModelDb, ModelTx } from '../platform/modelDb.ts'
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
  /** Why it does not get on, or failed, in words that name no node. */
  lastError: string | null
  createdAt: string
  completedAt: string | null
}

/**
 * The import that addresses join which are asked for now: the one that waits for the business's turn on the chain, which takes no turn
 * before this transaction ends; else one that is not there yet. One of a business runs at a time, so that none waits for the many of another.
 * @returns its id
 */
export async function importToJoin(tx: ModelTx, businessId: string, chain: string): Promise<string> {
  const [waiting] = await tx.query<{ id: string }>(
    "select id from monitoring_imports where business_id = $1 and chain = $2 and status = 'pending' order by id limit 1 for update",
    [businessId, chain],
  )
  return waiting?.id ?? newId()
}

/**
 * Has the blocks of a range read again for addresses whose watches name the import.
 * @param wanted.id of `importToJoin`, in the same transaction
 * @param wanted.to the cursor
 */
export async function startImport(
  tx: ModelTx,
  wanted: { id: string; businessId: string; chain: string; from: number; to: number; addresses: number },
): Promise<void> {
  await tx.query(
    `insert into monitoring_imports as i (id, business_id, chain, from_height, to_height, next_height, addresses) values ($1, $2, $3, $4, $5, $4, $6)
     on conflict (id) do update set from_height = least(i.from_height, $4), next_height = least(i.from_height, $4), to_height = greatest(i.to_height, $5),
       addresses = i.addresses + $6`,
    [wanted.id, wanted.businessId, wanted.chain, wanted.from, wanted.to, wanted.addresses],
  )
}

/** Imports of the business, the newest first unless asked otherwise. */
export async function listImports(
  ctx: { db: ModelDb },
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
export async function getImport(ctx: { db: ModelDb }, businessId: string, id: string): Promise<ImportView> {
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
