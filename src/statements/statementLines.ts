import type { BusinessAccountName } from '../ledger/account.ts'
import type { Queryable } from '../platform/database/db.ts'
import { type AssetsContext, assetIn, inWholeUnits, type LedgerAsset } from './assets.ts'
import { leavingKinds } from './leavingKinds.ts'

/** What all accounts together gained or lost in a period, in words that need no accounts. */
export interface StatementLine extends Pick<LedgerAsset, 'asset' | 'symbol' | 'decimals'> {
  /** `received`, what an outflow consists of, or the kind of any other entry. */
  line: string
  entries: number
  /** The change of what the business has: negative where it shrinks. */
  amount: string
  /** The same in the currency of bank or wallet, where it is known. */
  fiat: { amount: string; currency: string } | null
}

/** The sum of a kind of entries on one account. */
export interface Movement {
  account: BusinessAccountName
  asset: string
  kind: string
  entries: number
  /** On the account's normal side, in base units. */
  amount: bigint
}

interface Line {
  line: string
  asset: string
  entries: number
  amount: bigint
  fiat: StatementLine['fiat']
}

/**
 * The lines of a period: their sums by asset are the change of all balances, `receivable` taken off. What only
 * moves between accounts of the business has no line.
 */
export function statementLines(
  ctx: AssetsContext,
  movements: readonly Movement[],
  outflows: readonly Line[],
): StatementLine[] {
  const byKind = Map.groupBy(movements, ({ kind, asset }) => JSON.stringify([asset, nameOf(kind)]))
  const nets = [...byKind.entries()].map(([key, of]): Line => {
    const [asset = '', line = ''] = JSON.parse(key) as string[]
    // An entry that touches several accounts is counted by the one that most touch.
    const entries = [...Map.groupBy(of, ({ kind }) => kind).values()].reduce(
      (sum, each) => sum + Math.max(...each.map((one) => one.entries)),
      0,
    )
    const amount = of.reduce(
      (sum, each) => sum + (each.account === 'receivable' ? -each.amount : each.amount),
      0n,
    )
    return { line, asset, entries, amount, fiat: null }
  })
  const known = new Map<string, bigint>()
  for (const { asset, amount } of outflows) known.set(asset, (known.get(asset) ?? 0n) + amount)
  const rest = nets.map((each) =>
    each.line === 'outflows'
      ? { ...each, line: 'other', amount: each.amount - (known.get(each.asset) ?? 0n) }
      : each,
  )
  return [...rest, ...outflows]
    .filter(({ amount }) => amount !== 0n)
    .sort((one, other) => placeOf(one) - placeOf(other) || (one.asset < other.asset ? -1 : 1))
    .map(({ line, asset: name, entries, amount, fiat }) => {
      const { asset, symbol, decimals } = assetIn(ctx, name)
      return { line, asset, symbol, decimals, entries, amount: inWholeUnits(amount, { decimals }), fiat }
    })
}

function nameOf(kind: string): string {
  if (kind.startsWith('deposit.') || kind === 'suspense.given') return 'received'
  return leavingKinds.some((each) => each === kind) ? 'outflows' : kind
}

const order = ['received', 'fee', 'margin', 'rounding', 'to_bank', 'to_wallet', 'refunded']
const placeOf = ({ line }: Line): number => (order.includes(line) ? order.indexOf(line) : order.length)

interface OutflowSums {
  kind: string
  isReversal: boolean
  chain: string
  token: string
  currency: string | null
  toToken: string | null
  toDecimals: number | null
  toChain: string | null
  entries: number
  amount: string
  fee: string
  margin: string
  rounding: string
  localFee: string | null
  localAmount: string | null
  toAmount: string | null
}

const sumOfAll = (column: string): string =>
  `case when count(o.${column}) = count(*) then trim_scale(sum(o.${column}))::text end`

/** What left in a period, and what of it came back. @param period its first id, and its times */
export async function readOutflowLines(
  ctx: AssetsContext,
  tx: Queryable,
  businessId: string,
  period: { firstId: string; from: Date; to: Date },
): Promise<Line[]> {
  const rows = await tx.query<OutflowSums>(
    `select e.kind, e.reverses is not null as "isReversal", o.chain, o.token, o.currency, o.to_token as "toToken", o.to_chain as "toChain", count(*)::int as entries,
       sum(o.amount)::text as amount, sum(o.fee)::text as fee, sum(o.margin)::text as margin, sum(o.rounding)::text as rounding,
       -- Of some alone it would be less than all are worth.
       ${sumOfAll('local_fee')} as "localFee", ${sumOfAll('local_amount')} as "localAmount", ${sumOfAll('to_amount')} as "toAmount"
     from ledger_entries e join outflows o
       on o.id = case when e.cause_kind in ('payout', 'refund') then e.reference::uuid end and o.business_id = $1
     where e.business_id = $1 and e.id >= $2 and e.created_at >= $3 and e.created_at < $4 and e.kind = any($5::text[])
     group by 1, 2, 3, 4, 5, 6, 7`,
    [businessId, period.firstId, period.from, period.to, leavingKinds],
  )
  const lines = rows.flatMap((row) => linesOf(ctx, row))
  const byLine = Map.groupBy(lines, ({ line, asset, fiat }) => JSON.stringify([line, asset, fiat?.currency]))
  return [...byLine.values()].map((of) => of.reduce(together))
}

function linesOf(ctx: AssetsContext, row: OutflowSums): Line[] {
  const [amount, fee, margin, rounding] = [row.amount, row.fee, row.margin, row.rounding].map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  // A bank gives the principal back alone; a reversal takes the whole entry back.
  const keeps = row.kind.endsWith('.returned') && !row.isReversal
  const sign = row.kind.endsWith('.returned') ? 1n : -1n
  const asset = `${row.chain}:${row.token}`
  const of = (line: string, units: bigint, fiat: Line['fiat']): Line => ({
    line,
    asset,
    entries: row.entries,
    amount: units * sign,
    fiat: fiat && { ...fiat, amount: sign < 0n ? negative(fiat.amount) : fiat.amount },
  })
  const local = (text: string | null) =>
    text === null || row.currency === null ? null : { amount: text, currency: row.currency }
  const paid = of(
    paidName(row),
    amount - fee - margin - rounding,
    local(row.localAmount) ?? arrived(ctx, row),
  )
  const kept = [
    of('fee', fee, local(row.localFee)),
    of('margin', margin, null),
    of('rounding', rounding, null),
  ].filter((line) => line.amount !== 0n)
  return keeps ? [paid] : [...kept, paid]
}

function paidName({ kind, currency }: OutflowSums): string {
  if (kind.startsWith('refund.')) return 'refunded'
  return currency === null ? 'to_wallet' : 'to_bank'
}

function arrived(ctx: AssetsContext, { toChain, toToken, toAmount }: OutflowSums): Line['fiat'] {
  if (toChain === null || toToken === null || toAmount === null) return null
  return { amount: inWholeUnits(toAmount, assetIn(ctx, `${toChain}:${toToken}`)), currency: toToken }
}

const negative = (text: string): string => (text === '0' ? text : `-${text}`)

const together = (one: Line, other: Line): Line => ({
  ...one,
  entries: one.entries + other.entries,
  amount: one.amount + other.amount,
  fiat: one.fiat && other.fiat && { ...one.fiat, amount: added(one.fiat.amount, other.fiat.amount) },
})

/** The exact sum of two decimals with signs. */
function added(one: string, other: string): string {
  const places = Math.max(...[one, other].map((text) => text.split('.')[1]?.length ?? 0))
  const units = [one, other].map((text) => {
    const [whole = '', fraction = ''] = text.replace('-', '').split('.')
    const size = BigInt(whole + fraction.padEnd(places, '0'))
    return text.startsWith('-') ? -size : size
  })
  return inWholeUnits((units[0] ?? 0n) + (units[1] ?? 0n), { decimals: places })
}
