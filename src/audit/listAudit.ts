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
import { invalidParameters } from '../platform/errors.ts'
import { firstIdAt } from '../platform/ids.ts'
import { containing, findPage, type Page, type PageRequest } from '../platform/pages.ts'

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

export interface AuditFilter {
  businessId?: string
  /** Part of an action, an actor, a target, an address, or of `before` or `after`. */
  q?: string
  action?: string
  actorId?: string
  /** ISO 8601; inclusive. */
  from?: string
  /** Exclusive. */
  to?: string
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
  const conditions: WhereOptions[] = []
  if (filter.businessId !== undefined) conditions.push({ businessId: filter.businessId })
  if (filter.action !== undefined) conditions.push({ action: filter.action })
  if (filter.actorId !== undefined) conditions.push({ actorId: filter.actorId })
  if (filter.from !== undefined) {
    const from = timeOf('from', filter.from)
    conditions.push({ at: { [Op.gte]: from }, id: { [Op.gte]: firstIdAt(from.getTime() - clockDriftMs) } })
  }
  if (filter.to !== undefined) {
    const to = timeOf('to', filter.to)
    conditions.push({ at: { [Op.lt]: to }, id: { [Op.lt]: firstIdAt(to.getTime() + clockDriftMs) } })
  }
  const model = auditModel(ctx.db.sequelize)
  if (filter.q === undefined) return shown(await findPage(model, { [Op.and]: conditions }, request))
  const like = containing(filter.q)
  const inValues = ['before', 'after'].map((column) => where(cast(col(column), 'text'), like))
  conditions.push({
    [Op.or]: [{ action: like }, { actorLabel: like }, { target: like }, { address: like }, ...inValues],
  })
  return shown(await search(ctx, model, { [Op.and]: conditions }, request))
}

const shown = ({ rows, page }: { rows: AuditRow[]; page: Page }) => ({ entries: rows.map(present), ...page })

/** The highest total that a search counts. */
const maxCounted = 10_000

/**
 * A substring search cannot use an index: its time range bounds the rows read, and the database its duration.
 * @throws ApiError 400 naming `from` when it took too long
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
      field: 'from',
      message: 'and to are too far apart or missing: search a shorter time, or by action or actor',
    })
  }
}

const statementTimeout = '57014'

/**
 * Maximum difference between an entry's id, made by the process's clock, and its time, set by the database.
 */
const clockDriftMs = 3_600_000

/** @throws ApiError 400 where it is not a time */
function timeOf(field: string, text: string): Date {
  const at = new Date(text)
  if (!Number.isNaN(at.getTime())) return at
  throw invalidParameters({ field, message: 'is not a time' })
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
