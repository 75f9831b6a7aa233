import { addressCodec } from '../chains/codecs.ts'
import { assetsOf, type Chain, knownChain } from '../chains/registry.ts'
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
import { isOfStaking } from './assignSuspense.ts'
import { isOwned, type OperatorAccount } from './suspenseOwner.ts'

/** `returning`: it goes back to its sender. */
export type SuspenseState = 'held' | 'given' | 'returning' | 'returned' | 'reverted'

/** A payment that names no session, for operators. */
export interface SuspendedPaymentView {
  /** Of its detection. */
  id: string
  state: SuspenseState
  chain: string
  symbol: string
  /** Whole units. */
  amount: string
  fromAddress: string
  memo: string | null
  memoType: string | null
  txId: string
  blockTime: string
  /** The business that has it. */
  business: { id: string; name: string } | null
  /** The operator's account that it was booked to; null: not booked. */
  account: OperatorAccount | null
  /** It came to a staking address: the operator may have sent it there. */
  isOfStaking: boolean
  /** Giving it to a business, or sending it back, was proposed. */
  waitsForApproval: boolean
}

interface Row extends Omit<SuspendedPaymentView, 'blockTime'> {
  blockTime: Date
}

const stateSql = `case when not s.posted then 'reverted' when ${isOwned} then 'given'
  else coalesce((select case o.status when 'completed' then 'returned' else 'returning' end from outflows o
    where o.kind = 'suspense' and o.payment_id = s.detection_id and o.status not in ('failed', 'cancelled')), 'held') end`

/**
 * A page of payments that name no session, in the order of their detection. @throws ApiError 400 naming
 * `cursor`
 */
export async function listSuspense(
  ctx: { db: Db; chains: readonly Chain[] },
  { state, since, until }: Created & { state?: readonly SuspenseState[] },
  request: PageRequest,
): Promise<Page & { payments: SuspendedPaymentView[] }> {
  const { page, limit, sort, cursor } = request
  return ctx.db.snapshot(async (tx) => {
    // Those that were never booked are not listed: they were seen, and never confirmed.
    // Not by ids as well: a detection that comes back after a fork has a later time.
    const listed = `s.entries > 0 and ($1::text[] is null or ${stateSql} = any($1))${createdSql('d.seen_at', null, 2)}`
    const values = [state ?? null, since ?? null, until ?? null]
    const [counted] = await tx.query<{ n: number }>(
      countSql(`from suspense_payments s join detections d on d.id = s.detection_id where ${listed}`),
      values,
    )
    const rows = await tx.query<Row>(
      `select s.detection_id as id, ${stateSql} as state, t.chain, t.token as symbol, t.amount::text, t.from_address as "fromAddress", t.memo,
         t.memo_type as "memoType", t.tx_id as "txId", t.block_time as "blockTime",
         case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name) end as business,
         s.account, ${isOfStaking} as "isOfStaking",
         -- No exists: for that Postgres would hash all adjustments.
         coalesce((select true from ledger_adjustments j
           where j.suspense_payment = s.detection_id and j.decision is null and j.expires_at > now() limit 1), false) as "waitsForApproval"
       from suspense_payments s join detections d on d.id = s.detection_id join transfers t on t.id = d.transfer_id
       left join businesses b on b.id = s.business_id
       where ${listed} and ($4::uuid is null or s.detection_id ${sort === 'ASC' ? '>' : '<'} $4) order by s.detection_id ${sort} limit $5 offset $6`,
      [
        ...values,
        cursor === undefined ? null : decodeCursor(cursor),
        limit,
        cursor === undefined ? (page - 1) * limit : 0,
      ],
    )
    return { payments: rows.map((row) => present(ctx, row)), ...pageOf(rows, request, counted?.n ?? 0) }
  })
}

function present(
  { chains }: { chains: readonly Chain[] },
  { blockTime, amount, fromAddress, ...row }: Row,
): SuspendedPaymentView {
  const chain = chains.find(({ name }) => name === row.chain) ?? knownChain(row.chain)
  const asset = chain && assetsOf(chain).find(({ symbol }) => symbol === row.symbol)
  if (!chain || !asset)
    throw new Error(
      `${row.symbol} on ${row.chain} is not configured, but payments use it; configure it again`,
    )
  return {
    ...row,
    amount: formatUnits(BigInt(amount), asset.decimals),
    fromAddress: addressCodec(chain.family).display(fromAddress),
    blockTime: blockTime.toISOString(),
  }
}
