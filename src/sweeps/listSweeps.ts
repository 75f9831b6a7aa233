import type { Family } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import { formatUnits } from '../money/amount.ts'
import type { Db } from '../platform/database/db.ts'
import {
  type Created,
  countSql,
  createdSql,
  decodeCursor,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import type { SweepStatus } from './nextSweep.ts'

type SweepState = 'open' | 'done' | 'failed'

interface SweepView {
  id: string
  chain: string
  symbol: string
  /** Whole units. */
  amount: string
  /** The deposit address. */
  address: string
  state: SweepState
  status: SweepStatus
  reason: string | null
  txId: string | null
  createdAt: string
  updatedAt: string
}

interface Row extends Omit<SweepView, 'createdAt' | 'updatedAt'> {
  family: Family
  decimals: number
  createdAt: Date
  updatedAt: Date
}

const stateSql = "case when s.status in ('done', 'failed') then s.status else 'open' end"

/** Each as it is in the predicate of an index. */
const inState: Record<SweepState, string> = {
  open: "s.status not in ('done', 'failed')",
  done: "s.status = 'done'",
  failed: "s.status = 'failed'",
}

/** A page of the sweeps of a business's deposit addresses. @throws ApiError 400 naming `cursor` */
export async function listSweeps(
  { db }: { db: Db },
  businessId: string,
  { state, chain, since, until }: Created & { state?: readonly SweepState[]; chain?: string },
  request: PageRequest,
): Promise<Page & { sweeps: SweepView[] }> {
  const { page, limit, sort, cursor } = request
  const from = 'from sweeps s join sweep_sources c on c.chain = s.chain and c.address = s.address'
  const states = state ? `(${state.map((each) => inState[each]).join(' or ') || 'false'})` : 'true'
  const where = `c.business_id = $1 and ${states} and ($2::text is null or s.chain = $2)${createdSql('s.created_at', 's.id', 3)}`
  const values = [businessId, ...[chain, since, until].map((each) => each ?? null)]
  return db.snapshot(async (tx) => {
    const [counted] = await tx.query<{ n: number }>(countSql(`${from} where ${where}`), values)
    const rows = await tx.query<Row>(
      `select s.id, s.chain, s.token as symbol, s.decimals, s.amount::text, s.address, c.family, ${stateSql} as state, s.status, s.reason,
         i.tx_id as "txId", s.created_at as "createdAt", s.updated_at as "updatedAt"
       ${from} left join intents i on i.id = s.intent_id
       where ${where} and ($5::uuid is null or s.id ${sort === 'ASC' ? '>' : '<'} $5) order by s.id ${sort} limit $6 offset $7`,
      [
        ...values,
        cursor === undefined ? null : decodeCursor(cursor),
        limit,
        cursor === undefined ? (page - 1) * limit : 0,
      ],
    )
    return { sweeps: rows.map(present), ...pageOf(rows, request, counted?.n ?? 0) }
  })
}

const present = ({ family, decimals, amount, address, createdAt, updatedAt, ...row }: Row): SweepView => ({
  ...row,
  amount: formatUnits(BigInt(amount), decimals),
  address: addressCodec(family).display(address),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
