import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  type Model,
  Op,
  type WhereOptions,
} from 'sequelize'
import { defineModel } from '../platform/database/defineModel.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { type Created, createdWithin, findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { waitsSql, withBatchSql } from './batchMembers.ts'
import { dependsOnSql, type Needs, needsSql } from './independence.ts'
import type { SettingName } from './protections.ts'
import type { Subject } from './requestApproval.ts'

/** The columns that lists are filtered by. */
interface ApprovalListed
  extends Model<InferAttributes<ApprovalListed>, InferCreationAttributes<ApprovalListed>> {
  id: string
  businessId: string
  decision: CreationOptional<string | null>
  askedAt: Date
  expiresAt: Date
}

const approvalModel = defineModel<ApprovalListed>(
  'Approval',
  {
    id: { type: DataTypes.UUID, primaryKey: true },
    businessId: DataTypes.UUID,
    decision: DataTypes.TEXT,
    askedAt: DataTypes.DATE,
    expiresAt: DataTypes.DATE,
  },
  { tableName: 'approvals', timestamps: false },
)

/** One approval as the dashboard shows it. */
export interface ApprovalView {
  id: string
  subject: Subject
  subjectId: string
  /**
   * Looser limits: of a wallet, or of the root of a key. `before` and `after` are as `sendLimits` stored
   * them.
   */
  limits: { kind: 'wallet' | 'key'; id: string; name: string | null; before: unknown; after: unknown } | null
  /** A looser setting: the fields that change. */
  setting: { name: SettingName; before: object; after: object } | null
  /** The account that is to own the business. */
  owner: { accountId: string; email: string } | null
  state: 'waiting' | 'approved' | 'refused' | 'expired'
  /** An email address, or the prefix of a key and its name. */
  askedBy: string
  /** The reader is not independent of the request: another owner has to approve it. */
  own: boolean
  /** Null once it no longer waits. */
  needs: Needs | null
  askedAt: string
  expiresAt: string
  decidedBy: string | null
  decidedAt: string | null
}

/**
 * SQL: an approval of a transfer, payout or destination that has ended otherwise: by the operator, a
 * cancellation, or when its key was revoked.
 */
const hasEndedSql = (of: string) =>
  `(exists (select 1 from intents o where ${of}.subject in ('transfer', 'bridge-burn') and o.id = ${of}.subject_id and o.status <> 'created')
  or exists (select 1 from outflows o where ${of}.subject = 'payout' and o.id = ${of}.subject_id and o.status <> 'awaiting_approval')
  or (${of}.batch_id is not null and ${of}.batch_id = ${of}.subject_id and not ${waitsSql(`${of}.batch_id`)})
  or exists (select 1 from payout_destinations o where ${of}.subject = 'destination' and o.id = ${of}.subject_id and o.archived_at is not null))`

const columns = `a.id, a.subject, a.subject_id as "subjectId",
  case when a.subject = 'limits' then jsonb_build_object('kind', a.wanted->'kind', 'id', a.wanted->'id', 'name', coalesce(w.name, w.address, limited.name),
    'before', a.wanted->'before', 'after', a.wanted->'limits') end as limits,
  case when a.subject = 'setting' then jsonb_build_object('name', a.wanted->'setting', 'before', a.wanted->'before', 'after', a.wanted->'after')
    end as setting,
  case when a.subject = 'owner' then jsonb_build_object('accountId', wanted.id, 'email', wanted.email) end as owner,
  coalesce(a.decision, case when a.expires_at <= now() or ${hasEndedSql('a')} then 'expired' else 'waiting' end) as state,
  coalesce(asker.email, k.prefix || '… (' || k.name || ')') as "askedBy", ${dependsOnSql('$3::uuid')} as own, ${needsSql} as needs, a.asked_at as "askedAt", a.expires_at as "expiresAt",
  decider.email as "decidedBy", a.decided_at as "decidedAt"`

type Row = Omit<ApprovalView, 'askedAt' | 'expiresAt' | 'decidedAt'> & {
  askedAt: Date
  expiresAt: Date
  decidedAt: Date | null
}

async function readApprovals(
  { db }: { db: Pick<ModelDb, 'query'> },
  businessId: string,
  readerId: string,
  ids: readonly string[],
): Promise<ApprovalView[]> {
  const rows = await db.query<Row>(
    `select ${columns} from approvals a left join accounts asker on asker.id = a.asked_by_account left join api_keys k on k.id = a.asked_by_key
       left join accounts decider on decider.id = a.decided_by
       left join accounts wanted on a.subject = 'owner' and wanted.id = (a.wanted->>'accountId')::uuid
       left join wallets w on a.wanted->>'kind' = 'wallet' and w.id = (a.wanted->>'id')::uuid
       left join api_keys limited on a.wanted->>'kind' = 'key' and limited.id = (a.wanted->>'id')::uuid
     where a.business_id = $1 and a.id = any($2::uuid[])`,
    [businessId, ids, readerId],
  )
  const shown = rows.map((row) => ({
    ...row,
    needs: row.state === 'waiting' ? row.needs : null,
    askedAt: row.askedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  }))
  return ids.flatMap((id) => shown.find((each) => each.id === id) ?? [])
}

interface ApprovalFilter extends Created {
  waiting?: boolean
  state?: readonly ApprovalView['state'][]
}

/** Approvals in a state, as `columns` shows it. */
function inState(state: ApprovalView['state']): WhereOptions<ApprovalListed> {
  if (state === 'approved' || state === 'refused') return { decision: state }
  const isOver = literal(`("Approval"."expires_at" <= now() or ${hasEndedSql('"Approval"')})`)
  return { decision: null, [Op.and]: state === 'expired' ? isOver : literal(`not ${isOver.val}`) }
}

/** A page of a business's approvals, open and decided. */
export async function listApprovals(
  ctx: { db: ModelDb },
  businessId: string,
  readerId: string,
  { waiting, state, ...created }: ApprovalFilter,
  request: PageRequest,
): Promise<Page & { approvals: ApprovalView[] }> {
  const where = {
    [Op.and]: [
      { businessId },
      literal(`not ${withBatchSql('"Approval"')}`),
      waiting ? inState('waiting') : {},
      state ? { [Op.or]: state.map(inState) } : {},
      createdWithin(created, 'askedAt'),
    ],
  }
  const { rows, page } = await findPage(approvalModel(ctx.db.sequelize), where, request)
  return {
    approvals: await readApprovals(
      ctx,
      businessId,
      readerId,
      rows.map(({ id }) => id),
    ),
    ...page,
  }
}

/** One approval; undefined where it does not exist. */
export const readApproval = async (
  ctx: { db: ModelDb },
  businessId: string,
  readerId: string,
  id: string,
): Promise<ApprovalView | undefined> => (await readApprovals(ctx, businessId, readerId, [id]))[0]
