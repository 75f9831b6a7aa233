import type { BusinessAccountName } from '../ledger/account.ts'
import { maxIdDrift } from '../ledger/idDrift.ts'
import type { Db } from '../platform/database/db.ts'
import {
  type AssetsContext,
  assetIn,
  inWholeUnits,
  type LedgerAsset,
  requireAsset,
  requireToken,
} from './assets.ts'
import { firstEntryFrom, requirePast } from './times.ts'

export interface BalanceFilter {
  asset?: string
  chain?: string
  token?: string
  /** Its own millisecond is included. */
  at?: Date
}

const fields = {
  pending: 'pending',
  available: 'available',
  receivable: 'receivable',
  payouts_held: 'payoutsHeld',
  stakes: 'stakes',
  credit: 'credit',
  credit_held: 'creditHeld',
} as const satisfies Record<BusinessAccountName, string>

/** One asset of a business, in whole units. */
export type BalanceView = LedgerAsset & Record<(typeof fields)[keyof typeof fields], string>

/**
 * A business's balances, one row for each asset that ever had an entry.
 * @throws ApiError 400 naming `asset`, `token` or `at`
 */
export async function listBalances(
  ctx: AssetsContext & { db: Db },
  businessId: string,
  { asset, chain, token, at }: BalanceFilter,
): Promise<{ at: string; balances: BalanceView[] }> {
  if (asset !== undefined) requireAsset(ctx, asset)
  if (token !== undefined) requireToken(ctx, token)
  if (at) requirePast('at', at)
  const { time, rows } = await readBalances(ctx.db, businessId, at)
  const views = new Map<string, BalanceView>()
  for (const { asset: of, account, balance } of rows) {
    const known = assetIn(ctx, of)
    const view = views.get(of) ?? { ...known, ...noBalance }
    views.set(of, { ...view, [fields[account]]: inWholeUnits(balance, known) })
  }
  const balances = [...views.values()].filter(
    (each) =>
      (asset ?? each.asset) === each.asset &&
      (chain ?? each.chain) === each.chain &&
      (token ?? each.token) === each.token,
  )
  return { at: time.toISOString(), balances }
}

const noBalance = Object.fromEntries(Object.values(fields).map((field) => [field, '0'])) as Record<
  (typeof fields)[keyof typeof fields],
  string
>

interface BalanceRow {
  asset: string
  account: BusinessAccountName
  /** Base units. */
  balance: string
}

/** The running balances; at an earlier time they are these less what was posted since, in one snapshot. */
function readBalances(
  db: Db,
  businessId: string,
  at: Date | undefined,
): Promise<{ time: Date; rows: BalanceRow[] }> {
  return db.snapshot(async (tx) => {
    const [now] = await tx.query<{ time: Date }>('select now() as time')
    const after = at && new Date(at.getTime() + 1)
    const since = after
      ? `- coalesce((select sum(case a.normal_side when 'debit' then p.amount else -p.amount end)
           from ledger_postings p where p.account_id = a.id and p.entry_id >= $2 and p.created_at >= $3), 0)`
      : ''
    const rows = await tx.query<BalanceRow>(
      `select a.asset, a.name as account, (b.balance ${since})::text as balance
       from ledger_accounts a join ledger_balances b on b.account_id = a.id where a.business_id = $1 order by a.asset, a.id`,
      after ? [businessId, firstEntryFrom(after, await maxIdDrift(tx)), after] : [businessId],
    )
    return { time: at ?? now?.time ?? new Date(), rows }
  })
}
