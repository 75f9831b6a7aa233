import { shownForm } from '../chains/codecs.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import {
  type Created,
  countSql,
  createdSql,
  decodeCursor,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import { type AssetsContext, assetIn, inWholeUnits } from '../statements/assets.ts'

export type AdjustmentState = 'waiting' | 'approved' | 'refused' | 'expired'

export interface AdjustmentView {
  id: string
  business: { id: string; name: string } | null
  debit: string
  credit: string
  asset: string
  symbol: string
  /** Whole units. */
  amount: string
  reason: string
  suspensePaymentId: string | null
  /** Where the payment goes back to; null for other adjustments. */
  toAddress: string | null
  memo: string | null
  memoType: string | null
  state: AdjustmentState
  /** An email address. */
  proposedBy: string
  /** The reader proposed it. */
  own: boolean
  proposedAt: string
  expiresAt: string
  decidedBy: string | null
  decidedAt: string | null
}

const stateSql = "coalesce(j.decision, case when j.expires_at <= now() then 'expired' else 'waiting' end)"

interface Row extends Omit<AdjustmentView, 'symbol' | 'proposedAt' | 'expiresAt' | 'decidedAt'> {
  proposedAt: Date
  expiresAt: Date
  decidedAt: Date | null
}

const read = (db: Queryable, readerId: string, where: string, values: unknown[]): Promise<Row[]> =>
  db.query<Row>(
    `select j.id, case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name) end as business, j.debit, j.credit, j.asset,
       j.amount::text, j.reason, j.suspense_payment as "suspensePaymentId", j.to_address as "toAddress", j.to_memo as memo, j.to_memo_type as "memoType",
       ${stateSql} as state, proposer.email as "proposedBy",
       j.proposed_by = $1 as own, j.proposed_at as "proposedAt", j.expires_at as "expiresAt", decider.email as "decidedBy", j.decided_at as "decidedAt"
     from ledger_adjustments j join accounts proposer on proposer.id = j.proposed_by left join accounts decider on decider.id = j.decided_by
     left join businesses b on b.id = j.business_id where ${where}`,
    [readerId, ...values],
  )

function present(
  ctx: AssetsContext,
  { proposedAt, expiresAt, decidedAt, amount, toAddress, ...row }: Row,
): AdjustmentView {
  const asset = assetIn(ctx, row.asset)
  return {
    ...row,
    symbol: asset.symbol,
    amount: inWholeUnits(amount, asset),
    toAddress: toAddress && shownForm(toAddress),
    proposedAt: proposedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}

/** A page of adjustments. @throws ApiError 400 naming `cursor` */
export async function listAdjustments(
  ctx: AssetsContext & { db: Db },
  readerId: string,
  { state, since, until }: Created & { state?: readonly AdjustmentState[] },
  request: PageRequest,
): Promise<Page & { adjustments: AdjustmentView[] }> {
  const { page, limit, sort, cursor } = request
  const values = [state ?? null, since ?? null, until ?? null]
  const where = (place: number) =>
    `($${place}::text[] is null or ${stateSql} = any($${place}))${createdSql('j.proposed_at', 'j.id', place + 1)}`
  return ctx.db.snapshot(async (tx) => {
    const [counted] = await tx.query<{ n: number }>(
      countSql(`from ledger_adjustments j where ${where(1)}`),
      values,
    )
    const rows = await read(
      tx,
      readerId,
      `${where(2)} and ($5::uuid is null or j.id ${sort === 'ASC' ? '>' : '<'} $5) order by j.id ${sort} limit $6 offset $7`,
      [
        ...values,
        cursor === undefined ? null : decodeCursor(cursor),
        limit,
        cursor === undefined ? (page - 1) * limit : 0,
      ],
    )
    return { adjustments: rows.map((row) => present(ctx, row)), ...pageOf(rows, request, counted?.n ?? 0) }
  })
}

export async function readAdjustment(
  ctx: AssetsContext,
  db: Queryable,
  readerId: string,
  id: string,
): Promise<AdjustmentView> {
  const [row] = await read(db, readerId, 'j.id = $2', [id])
  if (!row) throw new Error(`adjustment ${id} was not stored`)
  return present(ctx, row)
}
