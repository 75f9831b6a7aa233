import { readOutflows } from '../outflows/outflow.ts'
import type { Db } from '../platform/database/db.ts'
import {
  type Created,
  countSql,
  decodeCursor,
  idsWithin,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import type { Secret } from '../platform/secrets.ts'
import type { PayoutStatus, PayoutView } from './presentPayout.ts'
import { presentPayouts } from './readPayouts.ts'

export interface PayoutFilter extends Created {
  status?: readonly PayoutStatus[]
  chain?: string
  token?: string
  currency?: string
  destinationId?: string
  sessionId?: string
  batchId?: string
  reference?: string
}

/**
 * A page of the business's payouts, newest first by default. @throws ApiError 400 naming `cursor`
 */
export async function listPayouts(
  ctx: { db: Db; appKey: Secret },
  businessId: string,
  filter: PayoutFilter,
  request: PageRequest,
): Promise<Page & { payouts: PayoutView[] }> {
  const { page, limit, sort, cursor } = request
  const { where, values } = conditionOf(businessId, filter)
  return ctx.db.snapshot(async (tx) => {
    const [counted] = await tx.query<{ n: number }>(countSql(`from outflows where ${where}`), values)
    const n = values.length
    const rows = await readOutflows(
      tx,
      `${where} and ($${n + 1}::uuid is null or id ${sort === 'ASC' ? '>' : '<'} $${n + 1}) order by id ${sort} limit $${n + 2} offset $${n + 3}`,
      [
        ...values,
        cursor === undefined ? null : decodeCursor(cursor),
        limit,
        cursor === undefined ? (page - 1) * limit : 0,
      ],
    )
    return {
      payouts: await presentPayouts(ctx, tx, businessId, rows),
      ...pageOf(rows, request, counted?.n ?? 0),
    }
  })
}

const columns = {
  status: 'status = any',
  chain: 'chain = ',
  token: 'token = ',
  currency: 'currency = ',
  destinationId: 'destination_id = ',
  sessionId: 'session_id = ',
  batchId: 'batch_id = ',
  reference: 'reference = ',
  since: 'created_at >= ',
  until: 'created_at < ',
  from: 'id >= ',
  before: 'id < ',
} as const satisfies Record<keyof PayoutFilter | keyof ReturnType<typeof idsWithin>, string>

function conditionOf(businessId: string, filter: PayoutFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [businessId]
  const parts = ["business_id = $1 and kind = 'payout'"]
  const given = { ...filter, ...idsWithin(filter) }
  for (const [name, condition] of Object.entries(columns) as [keyof typeof columns, string][]) {
    const value = given[name]
    if (value !== undefined) parts.push(`${condition}($${values.push(value)})`)
  }
  return { where: parts.join(' and '), values }
}
