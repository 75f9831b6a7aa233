import type { Root } from './model.ts'
import type { StakingWorld } from './world.ts'

/** What the database shows of stakes, read without the product's code. */

const paidSql = `select p.principal, p.rewards from stake_payments p join intents i on i.id = p.intent_id
  where p.stake_id = s.id and i.status = 'confirmed'`

/** Rewards that no money was there for yet. */
export async function shortOf({ database }: StakingWorld, root: Root): Promise<bigint> {
  const [row] = await database.db.query<{ short: string }>(
    `select coalesce(sum(rewards), 0)::text as short from stakes
     where root_id = $1 and rewards > 0 and not rewards_booked and confirmed_at is not null`,
    [root.id],
  )
  return BigInt(row?.short ?? 0)
}

/** The stake reports that its transaction has failed. */
export async function hasEnded({ database }: StakingWorld, id: string): Promise<boolean> {
  return (
    (
      await database.db.query(
        "select 1 from stakes where id = $1 and status = 'withdrawn' and reason is not null",
        [id],
      )
    ).length > 0
  )
}

/** The chain has paid exactly this much of it. */
export async function requirePaid(
  { database }: StakingWorld,
  id: string,
  net: bigint,
  rewards: bigint,
): Promise<void> {
  const [paid] = await database.db.query<{ sent: string; status: string; reason: string | null }>(
    `select s.status, s.reason, (select coalesce(sum(principal + rewards), 0)::text from (${paidSql}) paid) as sent from stakes s where s.id = $1`,
    [id],
  )
  const found = `${paid?.status} ${paid?.sent} ${paid?.reason}`
  if (found !== `withdrawn ${net + rewards} null`)
    throw new Error(`stake ${id} is ${found}, not withdrawn ${net} + ${rewards}`)
}

/**
 * Its transaction failed: all parts have ended, and those that were to be paid by no request have the reason.
 * @returns what was paid of them
 */
export async function requireLost({ database }: StakingWorld, root: Root): Promise<bigint> {
  const rows = await database.db.query<{ id: string; sent: string; status: string; reason: string | null }>(
    `select s.id, s.status, s.reason, (select coalesce(sum(principal + rewards), 0)::text from (${paidSql}) paid) as sent
     from stakes s where s.root_id = $1`,
    [root.id],
  )
  const requested = new Set(root.parts.filter(({ isRequested }) => isRequested).map(({ id }) => id))
  const open = rows.filter(
    ({ id, status, reason }) => status !== 'withdrawn' || (reason === null && !requested.has(id)),
  )
  if (open.length > 0 || rows.length !== root.parts.length)
    throw new Error(`a stake without its transaction goes on: ${JSON.stringify(open)}`)
  return rows.reduce((all, { sent }) => all + BigInt(sent), 0n)
}

/**
 * A business owes what was paid of stakes that are in no block, and nothing more. Rewards may be owed as long
 * as they are short.
 */
export async function requireOwed(
  { database }: StakingWorld,
  businessId: string,
  roots: readonly Root[],
): Promise<void> {
  const lost = roots.filter(({ blockAt }) => blockAt === null).map(({ id }) => id)
  const [row] = await database.db.query<{ owed: string; principal: string; rewards: string }>(
    `select (select coalesce(sum(b.balance), 0)::text from ledger_accounts a join ledger_balances b on b.account_id = a.id
         where a.business_id = $1 and a.name in ('available', 'receivable')) as owed,
       coalesce(sum(principal) filter (where root_id = any($2::uuid[])), 0)::text as principal, coalesce(sum(rewards), 0)::text as rewards
     from (select s.root_id, paid.* from stakes s cross join lateral (${paidSql}) paid where s.business_id = $1) all_paid`,
    [businessId, lost],
  )
  const [owed, principal, rewards] = [row?.owed, row?.principal, row?.rewards].map((text) =>
    BigInt(text ?? 0),
  ) as [bigint, bigint, bigint]
  if (owed < principal || owed > principal + rewards)
    throw new Error(`the business owes ${owed}, where ${principal} + ${rewards} was paid`)
}
