import { cast, col, DataTypes, type InferAttributes, type Model, type ModelStatic, Op, type Sequelize, type WhereOptions, where } from 'sequelize'
import type { Db } from '../platform/db.ts'
import { invalidParameters } from '../platform/errors.ts'
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

function auditModel(sequelize: Sequelize): ModelStatic<AuditRow> {
  return (
    (sequelize.models.AuditEntry as ModelStatic<AuditRow> | undefined) ??
    sequelize.define<AuditRow>(
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
      { tableName: 'audit_log', underscored: true, timestamps: false },
    )
  )
}

export interface AuditFilter {
  businessId?: string
  /** Part of an action, an actor, a target, an address, or of what was before or after. */
  q?: string
  action?: string
  actorId?: string
  /** ISO 8601; at or after. */
  from?: string
  /** Before. */
  to?: string
}

/** A page of the audit log, of one business where `businessId` is given. */
export async function listAudit(ctx: { db: Db }, filter: AuditFilter, request: PageRequest): Promise<Page & { entries: object[] }> {
  const conditions: WhereOptions[] = []
  if (filter.businessId !== undefined) conditions.push({ businessId: filter.businessId })
  if (filter.action !== undefined) conditions.push({ action: filter.action })
  if (filter.actorId !== undefined) conditions.push({ actorId: filter.actorId })
  if (filter.from !== undefined) conditions.push({ at: { [Op.gte]: timeOf('from', filter.from) } })
  if (filter.to !== undefined) conditions.push({ at: { [Op.lt]: timeOf('to', filter.to) } })
  if (filter.q !== undefined) {
    const like = containing(filter.q)
    const told = ['before', 'after'].map((column) => where(cast(col(column), 'text'), like))
    conditions.push({ [Op.or]: [{ action: like }, { actorLabel: like }, { target: like }, { address: like }, ...told] })
  }
  const { rows, page } = await findPage(auditModel(ctx.db.sequelize), { [Op.and]: conditions }, request)
  return { entries: rows.map(present), ...page }
}

/** @throws ApiError 400: a leap second, for instance, is a date-time to the contract and none to the clock */
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
