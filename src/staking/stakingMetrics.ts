import { formatUnits } from '../chains/amount.ts'
import type { Queryable } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'
import { assetOfPlan } from './plan.ts'

/** What stakes are and owe, at each scrape. */
export function createStakingMetrics(metrics: Metrics, db: Queryable): void {
  metrics.collected('stakes', 'Stakes that are not withdrawn, by status', ['status'], async (gauge) => {
    gauge.reset()
    for (const status of ['active', 'unstaking']) gauge.set({ status }, 0)
    const rows = await db.query<{ status: string; count: number }>(
      "select status, count(*)::int as count from stakes where status <> 'withdrawn' group by status",
    )
    for (const { status, count } of rows) gauge.set({ status }, count)
  })
  metrics.collected('staked_amount', 'Whole units in stakes that are not withdrawn', ['chain', 'token'], async (gauge) => {
    gauge.reset()
    const rows = await db.query<{ chain: string; token: string; decimals: number; amount: string }>(
      `select chain, token, decimals, sum(amount)::text as amount from stakes
       where status <> 'withdrawn' and confirmed_at is not null group by chain, token, decimals`,
    )
    for (const { chain, token, decimals, amount } of rows) gauge.set({ chain, token }, Number(formatUnits(BigInt(amount), decimals)))
  })
  metrics.collected('stake_rewards_left', 'Whole units in the account of rewards, of assets with pooled plans', ['chain', 'token'], async (gauge) => {
    gauge.reset()
    const rows = await db.query<{ chain: string; token: string; amount: string }>(
      `select p.chain, p.token, coalesce(max(b.balance), 0)::text as amount
       from staking_plans p
         left join ledger_accounts a on a.name = 'rewards' and a.business_id is null and a.asset = p.chain || ':' || p.token
         left join ledger_balances b on b.account_id = a.id
       where p.type = 'pooled' group by p.chain, p.token`,
    )
    for (const { chain, token, amount } of rows) gauge.set({ chain, token }, wholeUnits(chain, token, amount))
  })
  metrics.collected('stake_rewards_pending', 'Stakes whose rewards wait for the account of rewards to be funded', [], async (gauge) => {
    const [row] = await db.query<{ count: number }>(
      `select count(*)::int as count from stakes
       where type = 'pooled' and rewards > 0 and not rewards_booked and status <> 'active' and reason is null and confirmed_at is not null`,
    )
    gauge.set({}, row?.count ?? 0)
  })
  metrics.collected('stake_withdrawal_oldest_seconds', 'Age of the oldest requested withdrawal that is not confirmed', [], async (gauge) => {
    const [row] = await db.query<{ age: number }>(
      `select coalesce(extract(epoch from now() - min(withdraw_requested_at)), 0)::float8 as age from stakes
       where type = 'pooled' and status = 'unstaking' and withdraw_requested_at is not null`,
    )
    gauge.set({}, row?.age ?? 0)
  })
}

const wholeUnits = (chain: string, token: string, amount: string): number =>
  Number(formatUnits(BigInt(amount), assetOfPlan({ chain, token }).decimals))
