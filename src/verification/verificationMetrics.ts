import { dollars } from '../ledger/entry.ts'
import { dollarDecimals } from '../money/amount.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { labelSets } from '../platform/telemetry/labelSets.ts'
import { type Metrics, shared } from '../platform/telemetry/metrics.ts'
import { openStatuses, requestKinds } from './model.ts'

interface Open {
  kind: string
  status: string
  count: number
  seconds: number
}

/** Gauges of requests that have not ended, by kind and status, and of prepaid credit. Read at each scrape. */
export function createVerificationMetrics(metrics: Metrics, db: Db): void {
  const open = shared(() => readOpen(db))
  const gaugeOf = (name: string, help: string, of: (each: Open) => number) =>
    metrics.collected(name, help, ['kind', 'status'], async (gauge) => {
      gauge.resetTo(labelSets({ kind: requestKinds, status: openStatuses }))
      for (const each of await open()) gauge.set({ kind: each.kind, status: each.status }, of(each))
    })
  gaugeOf('verifications_open', 'Requests of the verification area that have not ended', ({ count }) => count)
  gaugeOf(
    'verifications_open_oldest_seconds',
    'Age of the oldest of them, since it was queued',
    ({ seconds }) => seconds,
  )
  metrics.collected(
    'verification_credit_usd',
    'Prepaid credit of all businesses',
    ['account'],
    async (gauge) => {
      gauge.resetTo(labelSets({ account: ['credit', 'credit_held'] }))
      for (const { name, balance } of await readCredit(db))
        gauge.set({ account: name }, Number(balance) / 10 ** dollarDecimals)
    },
  )
}

const readOpen = (db: Queryable) =>
  db.query<Open>(
    `select kind, status, count(*)::int as count, extract(epoch from now() - min(queued_at))::float8 as seconds
     from verifications where completed_at is null group by 1, 2`,
  )

const readCredit = (db: Queryable) =>
  db.query<{ name: string; balance: string }>(
    `select a.name, sum(b.balance)::text as balance from ledger_accounts a join ledger_balances b on b.account_id = a.id
     where a.name in ('credit', 'credit_held') and a.asset = $1 group by 1`,
    [dollars],
  )
