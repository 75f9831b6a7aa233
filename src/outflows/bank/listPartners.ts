import { tokenDecimals } from '../../chains/tokenDecimals.ts'
import { balanceOf } from '../../ledger/balance.ts'
import { dollars } from '../../ledger/entry.ts'
import { dollarDecimals, formatUnits } from '../../money/amount.ts'
import type { PaymentPartner } from '../../partnerPayments/partner.ts'
import { pauseOf } from '../../partnerPayments/partnerPauses.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { notFound } from '../../platform/errors.ts'
import { lastComparison } from './lastComparison.ts'
import { openAtPartner } from './openAtPartner.ts'

interface Context {
  db: Queryable
  /** Null without a payout partner. */
  paymentPartner: Pick<PaymentPartner, 'name'> | null
}

/** The partner that is configured, and those of before. */
export async function listPartners(ctx: Context) {
  return Promise.all((await namesOf(ctx)).map((name) => viewPartner(ctx, name)))
}

/** @throws ApiError 404 */
export async function requirePartner(ctx: Context, name: string): Promise<void> {
  if (!(await namesOf(ctx)).includes(name)) throw notFound('Partner')
}

async function namesOf({ db, paymentPartner }: Context): Promise<string[]> {
  const rows = await db.query<{ partner: string }>(
    'select partner from partner_balances union select partner from partner_pauses',
  )
  return [
    ...new Set([...(paymentPartner ? [paymentPartner.name] : []), ...rows.map(({ partner }) => partner)]),
  ].sort()
}

const shown = (millionths: bigint) => formatUnits(millionths, dollarDecimals)

/** A partner's account as operators see it. */
export async function viewPartner({ db, paymentPartner }: Context, name: string) {
  const [balances, underWay, booked, pause, topUp, compared] = await Promise.all([
    balancesOf(db, name),
    openAtPartner(db, name),
    balanceOf(db, { name: `partner:${name}`, businessId: null, asset: dollars }),
    pauseOf(db, name),
    topUpOf(db, name),
    lastComparison(db, name),
  ])
  return {
    name,
    isConfigured: paymentPartner?.name === name,
    balances,
    underWay: { payouts: underWay.payouts, amount: shown(underWay.maxCost), unknown: underWay.unknown },
    booked: shown(booked),
    pause: pause && { ...pause, since: pause.since.toISOString() },
    topUp,
    comparison: compared && {
      at: compared.at.toISOString(),
      unmatched: compared.mismatches.length,
      drift: compared.drift === null ? null : shown(compared.drift),
    },
  }
}

async function balancesOf(db: Queryable, partner: string) {
  const rows = await db.query<{ currency: string; available: string; readAt: Date }>(
    `select currency, trim_scale(available)::text as available, read_at as "readAt" from partner_balances where partner = $1 order by currency`,
    [partner],
  )
  return rows.map((row) => ({ ...row, readAt: row.readAt.toISOString() }))
}

interface TopUpRow {
  id: string
  chain: string
  token: string
  amount: string
  status: 'pending' | 'processing' | 'unknown' | 'completed'
  createdAt: Date
}

/** Those that failed are over, though the worker has not ended them yet. */
async function topUpOf(db: Queryable, partner: string) {
  const [row] = await db.query<TopUpRow>(
    `select o.id, o.chain, o.token, o.amount::text, o.status, o.created_at as "createdAt"
     from partner_top_ups t join outflows o on o.id = t.outflow_id
     where t.partner = $1 and t.ended_at is null and o.status in ('pending', 'processing', 'unknown', 'completed')`,
    [partner],
  )
  return row
    ? {
        ...row,
        amount: formatUnits(BigInt(row.amount), tokenDecimals(row.chain, row.token)),
        createdAt: row.createdAt.toISOString(),
      }
    : null
}
