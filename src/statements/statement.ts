import type { BusinessAccountName } from '../ledger/account.ts'
import { maxIdDrift } from '../ledger/idDrift.ts'
import type { Db } from '../platform/database/db.ts'
import { invalidParameters } from '../platform/errors.ts'
import { requireRange } from '../platform/requireRange.ts'
import { type AssetsContext, assetIn, inWholeUnits, type LedgerAsset } from './assets.ts'
import { readOutflowLines, type StatementLine, statementLines } from './statementLines.ts'
import { firstEntryFrom, requirePast } from './times.ts'

const maxDays = 366

export interface StatementView {
  from: string
  to: string
  /** No entry from before this time is added any more: a statement that ends by then never changes. */
  finalUntil: string
  /** Accounts that held something or moved. */
  accounts: (Pick<LedgerAsset, 'asset' | 'symbol' | 'decimals'> & {
    account: BusinessAccountName
    opening: string
    movements: { kind: string; entries: number; amount: string }[]
    closing: string
  })[]
  /** What all accounts together gained and lost, with fees by themselves. */
  lines: StatementLine[]
}

interface BalanceRow {
  id: string
  account: BusinessAccountName
  asset: string
  /** Now, in base units. */
  balance: string
}

interface MovedRow {
  id: string
  kind: string
  /** False: after the period. */
  inside: boolean
  entries: number
  amount: string
}

/**
 * The statement of a period, `from` included and `to` excluded. Balances of then are those of now less what
 * was posted since.
 * @throws ApiError 400 naming `from` or `to`
 */
export async function statement(
  ctx: AssetsContext & { db: Db },
  businessId: string,
  { from, to }: { from: Date; to: Date },
): Promise<StatementView> {
  requireRange({ field: 'from', time: from }, { field: 'to', time: to })
  requirePast('from', from)
  if (to.getTime() - from.getTime() > maxDays * 86_400_000)
    throw invalidParameters({
      field: 'to',
      message: `is more than ${maxDays} days after from`,
      code: 'too_large',
    })
  // Before the snapshot: what is committed in between only makes the period more complete.
  const [watermark] = await ctx.db.query<{ finalUntil: Date }>('select ledger_final_until() as "finalUntil"')
  if (!watermark) throw new Error('the database gave no watermark')
  const { balances, moved, outflows } = await ctx.db.snapshot(async (tx) => ({
    outflows: await readOutflowLines(ctx, tx, businessId, {
      firstId: firstEntryFrom(from, await maxIdDrift(tx)),
      from,
      to,
    }),
    balances: await tx.query<BalanceRow>(
      `select a.id::text, a.name as account, a.asset, b.balance::text
       from ledger_accounts a join ledger_balances b on b.account_id = a.id where a.business_id = $1 order by a.asset, a.id`,
      [businessId],
    ),
    moved: await tx.query<MovedRow>(
      `select a.id::text, e.kind, p.created_at < $4 as inside, count(distinct e.id)::int as entries,
         sum(case a.normal_side when 'debit' then p.amount else -p.amount end)::text as amount
       from ledger_accounts a join ledger_postings p on p.account_id = a.id join ledger_entries e on e.id = p.entry_id
       where a.business_id = $1 and p.entry_id >= $2 and p.created_at >= $3 group by a.id, e.kind, inside order by e.kind`,
      [businessId, firstEntryFrom(from, await maxIdDrift(tx)), from, to],
    ),
  }))
  const accounts = balances.map(({ id, account, asset: name, balance }) => {
    const { asset, symbol, decimals } = assetIn(ctx, name)
    const ofAccount = moved.filter((row) => row.id === id)
    const inside = ofAccount.filter((row) => row.inside)
    const closing = BigInt(balance) - sumOf(ofAccount.filter((row) => !row.inside))
    const shown = (units: bigint | string) => inWholeUnits(units, { decimals })
    const movements = inside.map(({ kind, entries, amount }) => ({ kind, entries, amount: shown(amount) }))
    return {
      account,
      asset,
      symbol,
      decimals,
      opening: shown(closing - sumOf(inside)),
      movements,
      closing: shown(closing),
    }
  })
  const movements = balances.flatMap(({ id, account, asset }) =>
    moved
      .filter((row) => row.id === id && row.inside)
      .map(({ kind, entries, amount }) => ({ account, asset, kind, entries, amount: BigInt(amount) })),
  )
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    finalUntil: watermark.finalUntil.toISOString(),
    accounts: accounts.filter(
      ({ opening, closing, movements }) => movements.length > 0 || opening !== '0' || closing !== '0',
    ),
    lines: statementLines(ctx, movements, outflows),
  }
}

const sumOf = (rows: readonly { amount: string }[]): bigint =>
  rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
