import type { CallsSpec } from '../chains/action.ts'
import { addressCodec } from '../chains/codecs.ts'
import { knownChain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import {
  type Created,
  countSql,
  createdSql,
  decodeCursor,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import { countHeld, heldOfBusinessSql, heldReason, leavesWalletSql } from '../txmgr/hold.ts'
import { type Intent, readIntents } from '../txmgr/intents.ts'
import { presentApproval, presentTransfer, shownStatus } from './presentTransfer.ts'

/** A transfer as an operator sees it. */
export type OperatedTransfer = ReturnType<typeof presentOperated>

export function presentOperated(row: Intent) {
  if (row.action.kind === 'calls') return presentBurn(row, row.action)
  const { id, chain, symbol, amount, fromAddress, toAddress, memo, status, reason, createdAt, approval } =
    presentTransfer(row)
  return {
    ...{ id, chain, symbol, amount, fromAddress, toAddress },
    ...(memo !== undefined && { memo }),
    ...{ signer: row.signer, status, reason, createdAt },
    waitsForApproval: approval?.state === 'waiting',
  }
}

/** A bridge transfer: what its burn spends, and the contract that it calls. */
function presentBurn(row: Intent, { from, calls, spends }: CallsSpec) {
  const chain = knownChain(row.chain)
  const [spent] = spends
  if (!chain || !spent?.token) throw new Error(`intent ${row.id} burns no token`)
  const { display } = addressCodec(chain.family)
  return {
    ...{
      id: row.id,
      chain: row.chain,
      symbol: spent.token.symbol,
      amount: formatUnits(spent.amount, spent.token.decimals),
    },
    ...{ fromAddress: display(from), toAddress: display(calls[0]?.to ?? '') },
    ...{
      signer: row.signer,
      status: shownStatus[row.status],
      reason: row.held ? heldReason : row.reason,
      createdAt: row.createdAt.toISOString(),
    },
    waitsForApproval: row.approval !== null && presentApproval(row.approval, row.status).state === 'waiting',
  }
}

/**
 * A page of the held transfers and bridge transfers of a suspended business.
 * @throws ApiError 404; 400 naming `cursor`
 */
export async function listHeldTransfers(
  ctx: { db: { snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> } },
  businessId: string,
  created: Created,
  request: PageRequest,
): Promise<Page & { transfers: OperatedTransfer[] }> {
  if (!isUuid(businessId)) throw notFound('business')
  return ctx.db.snapshot(async (tx) => {
    const [business] = await tx.query('select 1 from businesses where id = $1', [businessId])
    if (!business) throw notFound('business')
    const total = await countOf(tx, businessId, created)
    const rows = await findHeld(tx, businessId, created, request)
    return { transfers: rows.map(presentOperated), ...pageOf(rows, request, total) }
  })
}

async function countOf(db: Queryable, businessId: string, { since, until }: Created): Promise<number> {
  if (!since && !until) return (await countHeld(db, [businessId])).get(businessId) ?? 0
  const [counted] = await db.query<{ n: number }>(
    countSql(
      `from intents where business_id = $1 and ${leavesWalletSql} and ${heldOfBusinessSql}${createdSql('created_at', 'id', 2)}`,
    ),
    [businessId, since ?? null, until ?? null],
  )
  return counted?.n ?? 0
}

function findHeld(
  db: Queryable,
  businessId: string,
  { since, until }: Created,
  { page, limit, sort, cursor }: PageRequest,
): Promise<Intent[]> {
  const after = cursor === undefined ? null : decodeCursor(cursor)
  const skipped = cursor === undefined ? (page - 1) * limit : 0
  return readIntents(
    db,
    `business_id = $1 and ${leavesWalletSql} and ${heldOfBusinessSql} and ($2::uuid is null or id ${sort === 'ASC' ? '>' : '<'} $2)${createdSql('created_at', 'id', 5)} order by id ${sort} limit $3 offset $4`,
    [businessId, after, limit, skipped, since ?? null, until ?? null],
  )
}
