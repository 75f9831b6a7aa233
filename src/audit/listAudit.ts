import {
  cast,
  col,
  DataTypes,
  type InferAttributes,
  type Model,
  type ModelStatic,
  Op,
  type WhereOptions,
  where,
} from 'sequelize'
import { defineModel } from '../platform/database/defineModel.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { prepared } from '../platform/database/prepared.ts'
import { invalidParameters } from '../platform/errors.ts'
import { firstIdAt, timeOfId } from '../platform/ids.ts'
import {
  type Created,
  containing,
  countSql,
  decodeCursor,
  findPage,
  findRows,
  idsWithin,
  maxCounted,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import { auditSubjects, businessNames } from './subjects.ts'

interface AuditRow extends Model<InferAttributes<AuditRow>> {
  id: string
  at: Date
  businessId: string | null
  actorKind: string
  actorId: string | null
  actorLabel: string
  action: string
  target: string | null
  before: object | null
  after: object | null
  address: string | null
  requestId: string | null
}

const auditModel = defineModel<AuditRow>(
  'AuditEntry',
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    at: DataTypes.DATE,
    businessId: DataTypes.UUID,
    actorKind: DataTypes.TEXT,
    actorId: DataTypes.UUID,
    actorLabel: DataTypes.TEXT,
    action: DataTypes.TEXT,
    target: DataTypes.TEXT,
    before: DataTypes.JSONB,
    after: DataTypes.JSONB,
    address: DataTypes.TEXT,
    requestId: DataTypes.TEXT,
  },
  { tableName: 'audit_log', timestamps: false },
)

export interface AuditFilter extends Created {
  businessId?: string
  /** Part of an action, an actor, a target, an address, or of `before` or `after`. */
  q?: string
  action?: string
  actorId?: string
}

/**
 * A page of the audit log, of one business where `businessId` is given.
 * @param ctx `searchMs`: time limit for each of a search's two statements
 * @throws ApiError 400 naming a field
 */
export async function listAudit(
  ctx: { db: ModelDb; searchMs?: number },
  filter: AuditFilter,
  request: PageRequest,
): Promise<Page & { entries: object[] }> {
  const bounds = boundsOf(filter)
  const conditions: WhereOptions[] = []
  if (filter.businessId !== undefined) conditions.push({ businessId: filter.businessId })
  if (filter.action !== undefined) conditions.push({ action: filter.action })
  if (filter.actorId !== undefined) conditions.push({ actorId: filter.actorId })
  if (bounds.from) conditions.push({ at: { [Op.gte]: bounds.from.at }, id: { [Op.gte]: bounds.from.id } })
  if (bounds.to) conditions.push({ at: { [Op.lt]: bounds.to.at }, id: { [Op.lt]: bounds.to.id } })
  const model = auditModel(ctx.db.sequelize)
  if (filter.q === undefined) {
    const total = await countEntries(ctx.db, filter, bounds)
    const rows = await findNear(model, conditions, request, total, bounds)
    return shown(ctx.db, { rows, page: pageOf(rows, request, total) })
  }
  const like = containing(filter.q)
  const inValues = ['before', 'after'].map((column) => where(cast(col(column), 'text'), like))
  conditions.push({
    [Op.or]: [{ action: like }, { actorLabel: like }, { target: like }, { address: like }, ...inValues],
  })
  return shown(ctx.db, await search(ctx, model, { [Op.and]: conditions }, request))
}

/**
 * The total, by a prepared statement: Postgres would plan each month again, which takes longer than counting
 * a business's entries in it.
 */
async function countEntries(db: ModelDb, filter: AuditFilter, { from, to }: Bounds): Promise<number> {
  const values: unknown[] = []
  const compare = (column: string, operator: string, value: unknown) =>
    value === undefined ? [] : [`${column} ${operator} $${values.push(value)}`]
  const conditions = [
    ...compare('business_id', '=', filter.businessId),
    ...compare('action', '=', filter.action),
    ...compare('actor_id', '=', filter.actorId),
    ...compare('at', '>=', from?.at),
    ...compare('id', '>=', from?.id),
    ...compare('at', '<', to?.at),
    ...compare('id', '<', to?.id),
  ]
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  const [counted] = await db.query<{ n: number }>(prepared(countSql(`from audit_log${where}`)), values)
  return counted?.n ?? 0
}

/** Two months at most, so that the plan of a page is that of a few partitions. */
const nearMs = 31 * 86_400_000

/**
 * The rows of a page, first of the month in which it begins: where they fill the page, no other can belong
 * to it. Others are read from the whole log.
 */
async function findNear(
  model: ModelStatic<AuditRow>,
  conditions: WhereOptions[],
  request: PageRequest,
  total: number,
  { to }: Bounds,
): Promise<AuditRow[]> {
  const { page, limit, sort, cursor } = request
  const last = cursor === undefined ? undefined : decodeCursor(cursor)
  const isNewest = sort === 'DESC'
  const start = last ?? (isNewest ? (to?.id ?? firstIdAt(Date.now())) : undefined)
  const mayFill = total > (cursor === undefined ? page * limit : limit)
  if (start !== undefined && mayFill) {
    const bound = firstIdAt(timeOfId(start) + (isNewest ? -nearMs : nearMs))
    const near = { id: { [isNewest ? Op.gte : Op.lt]: bound } }
    const rows = await findRows(model, { [Op.and]: [...conditions, near] }, request)
    if (rows.length === limit) return rows
  }
  return findRows(model, { [Op.and]: conditions }, request)
}

async function shown(db: ModelDb, { rows, page }: { rows: AuditRow[]; page: Page }) {
  const [subjects, names] = await Promise.all([auditSubjects(db, rows), businessNames(db, rows)])
  const entries = rows.map((row) => ({
    ...present(row),
    subject: subjects.get(row.target ?? '') ?? null,
    businessName: names.get(row.businessId ?? '') ?? null,
  }))
  return { entries, ...page }
}

/**
 * A substring search cannot use an index: its time range bounds the rows read, and the database its duration.
 * @throws ApiError 400 naming `since` when it took too long
 */
async function search(
  ctx: { db: ModelDb; searchMs?: number },
  model: ModelStatic<AuditRow>,
  conditions: WhereOptions,
  request: PageRequest,
): Promise<{ rows: AuditRow[]; page: Page }> {
  try {
    return await ctx.db.snapshot(async (tx) => {
      const { transaction } = tx
      await tx.query(`select set_config('statement_timeout', $1, true)`, [`${ctx.searchMs ?? 3000}ms`])
      const count = async () =>
        (
          await model.findAll({
            attributes: ['id'],
            where: conditions,
            limit: maxCounted,
            transaction,
            raw: true,
          })
        ).length
      return findPage(model, conditions, request, transaction, count)
    })
  } catch (error) {
    const { code } = ((error as { parent?: unknown }).parent ?? {}) as { code?: string }
    if (code !== statementTimeout) throw error
    throw invalidParameters({
      field: 'since',
      message: 'and until are too far apart or missing: search a shorter time, or by action or actor',
      code: 'too_large',
    })
  }
}

const statementTimeout = '57014'

/** A time, and the id that belongs to it, where the clocks of process and database differ. */
interface Bound {
  at: Date
  id: string
}

interface Bounds {
  from: Bound | undefined
  to: Bound | undefined
}

function boundsOf(created: Created): Bounds {
  const bound = (at?: Date, id?: string): Bound | undefined =>
    at && id !== undefined ? { at, id } : undefined
  const { from, before } = idsWithin(created)
  return { from: bound(created.since, from), to: bound(created.until, before) }
}

function present(row: AuditRow) {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor: { kind: row.actorKind, id: row.actorId, label: row.actorLabel },
    businessId: row.businessId,
    target: row.target,
    before: row.before,
    after: row.after,
    address: row.address,
    requestId: row.requestId,
  }
}
