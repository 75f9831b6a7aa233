import { assetsOf, type ConfiguredChain, knownChain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import type { Queryable } from '../platform/database/db.ts'
import { type Metrics, shared } from '../platform/telemetry/metrics.ts'

interface Group {
  type: 'pooled' | 'native'
  status: string
  chain: string
  token: string
  decimals: number
  count: number
  /** Base units of those that are confirmed. */
  amount: string
}

/** All open stakes are read for it: as often as this. */
const openForMs = 60_000

/** What stakes are and owe, at each scrape. */
export function createStakingMetrics(
  metrics: Metrics,
  db: Queryable,
  chains: readonly ConfiguredChain[],
): void {
  const pooled = chains.flatMap(({ name, tokens }) =>
    tokens.map(({ symbol }) => ({ chain: name as string, token: symbol })),
  )
  const native = chains
    .filter(({ family }) => family === 'solana')
    .map(({ name, native: { symbol } }) => ({ type: 'native', chain: name, token: symbol }))
  const open = shared(
    () =>
      db.query<Group>(
        `select type, status, chain, token, decimals, count(*)::int as count, coalesce(sum(amount) filter (where confirmed_at is not null), 0)::text as amount
         from stakes where status <> 'withdrawn' group by type, status, chain, token, decimals`,
      ),
    openForMs,
  )
  metrics.collected(
    'stakes',
    'Stakes that are not withdrawn, by type and status',
    ['type', 'status'],
    async (gauge) => {
      const groups = await open()
      gauge.reset()
      for (const type of ['pooled', 'native'])
        for (const status of ['active', 'unstaking'])
          gauge.set({ type, status }, countOf(groups, type, status))
    },
  )
  metrics.collected(
    'staked_amount',
    'Whole units in stakes that are not withdrawn',
    ['type', 'chain', 'token'],
    async (gauge) => {
      const groups = await open()
      gauge.resetTo([...pooled.map((each) => ({ type: 'pooled', ...each })), ...native])
      for (const [labels, units] of amountsOf(groups)) gauge.set(labels, units)
    },
  )
  metrics.collected(
    'stake_rewards_left',
    'Whole units in the account of rewards, of assets with pooled plans',
    ['chain', 'token'],
    async (gauge) => {
      const rows = await db.query<{ chain: string; token: string; amount: string }>(
        `select p.chain, p.token, coalesce(max(b.balance), 0)::text as amount
       from staking_plans p
         left join ledger_accounts a on a.name = 'rewards' and a.business_id is null and a.asset = p.chain || ':' || p.token
         left join ledger_balances b on b.account_id = a.id
       where p.type = 'pooled' group by p.chain, p.token`,
      )
      gauge.resetTo(pooled)
      for (const { chain, token, amount } of rows) {
        const decimals = decimalsOf(chain, token)
        if (decimals !== null) gauge.set({ chain, token }, Number(formatUnits(BigInt(amount), decimals)))
      }
    },
  )
  metrics.collected(
    'stake_rewards_pending',
    'Stakes whose rewards wait for the account of rewards to be funded',
    [],
    async (gauge) => {
      const [row] = await db.query<{ count: number }>(
        `select count(*)::int as count from stakes
       where type = 'pooled' and rewards > 0 and not rewards_booked and status <> 'active' and reason is null and confirmed_at is not null`,
      )
      gauge.set({}, row?.count ?? 0)
    },
  )
  metrics.collected(
    'stake_withdrawal_oldest_seconds',
    'Age of the oldest requested withdrawal that is not confirmed',
    ['type'],
    async (gauge) => {
      const rows = await db.query<{ type: string; age: number }>(
        `select type, extract(epoch from now() - min(withdraw_requested_at))::float8 as age from stakes
       where status = 'unstaking' and withdraw_requested_at is not null group by type`,
      )
      gauge.reset()
      for (const type of ['pooled', 'native'])
        gauge.set({ type }, rows.find((row) => row.type === type)?.age ?? 0)
    },
  )
  metrics.collected(
    'native_stakes_unread',
    'Native stakes that are due, and that nodes have not shown for three hours',
    [],
    async (gauge) => {
      const [row] = await db.query<{ count: number }>(
        `select count(*)::int as count from stakes where next_at <= now() + interval '1 minute' and type = 'native' and status <> 'withdrawn'
         and confirmed_at is not null and updated_at < now() - interval '3 hours'`,
      )
      gauge.set({}, row?.count ?? 0)
    },
  )
}

const countOf = (groups: readonly Group[], type: string, status: string): number =>
  groups
    .filter((each) => each.type === type && each.status === status)
    .reduce((all, { count }) => all + count, 0)

/** Whole units by type and asset. */
function amountsOf(
  groups: readonly Group[],
): [labels: Record<'type' | 'chain' | 'token', string>, units: number][] {
  const byAsset = Map.groupBy(groups, ({ type, chain, token }) => `${type} ${chain} ${token}`)
  return [...byAsset.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const { type, chain, token } = first
    const units = same.reduce(
      (all, { amount, decimals }) => all + Number(formatUnits(BigInt(amount), decimals)),
      0,
    )
    return [[{ type, chain, token }, units]]
  })
}

/** Null for an asset that the chain does not have any more. */
const decimalsOf = (chain: string, token: string): number | null => {
  const known = knownChain(chain)
  return (known && assetsOf(known).find(({ symbol }) => symbol === token)?.decimals) ?? null
}
