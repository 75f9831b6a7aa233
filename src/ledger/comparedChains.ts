import type { Queryable } from '../platform/database/db.ts'
import { type LedgerDrift, maxDrifts } from './drift.ts'

/** The result of the last comparison of a chain with the books. */
export interface ComparedChain {
  chain: string
  /** Of `chain_checks`; null if the chain was never compared. */
  checkId: string | null
  checkedAt: Date | null
  /** Null: as of the time of the check. */
  height: bigint | null
  drifts: number | null
  /** The books have money there, and the chain was not compared since the close before. */
  isOverdue: boolean
}

/** A check may take as long, and both have hours of their own. */
const slackHours = 6

/**
 * Chains that hold money by the books, or were compared with them. The close before is one that is a day old:
 * closes by hand come sooner than a check can. Before there is one, nothing is overdue.
 */
export async function comparedChains(db: Queryable): Promise<ComparedChain[]> {
  const rows = await db.query<Omit<ComparedChain, 'height'> & { height: string | null }>(
    `with compared as (
       select distinct on (chain) chain, id, ended_at, height, drifts from chain_checks where drifts is not null order by chain, id desc
     ), held as (
       select distinct split_part(a.name, ':', 2) as chain from ledger_accounts a
       where a.business_id is null and a.name ~ '^(deposits|treasury):' and (select sum(b.balance) from ledger_balances b where b.account_id = a.id) <> 0
     ), before as (
       select max(ended_at) - $1 * interval '1 hour' as at from ledger_closes where ended_at <= clock_timestamp() - interval '1 day' + interval '1 minute'
     )
     select coalesce(h.chain, c.chain) as chain, c.id as "checkId", c.ended_at as "checkedAt", c.height, c.drifts,
       h.chain is not null and b.at is not null and coalesce(c.ended_at < b.at, true) as "isOverdue"
     from held h full join compared c on c.chain = h.chain cross join before b
     order by 1`,
    [slackHours],
  )
  return rows.map((row) => ({ ...row, height: row.height === null ? null : BigInt(row.height) }))
}

/** The differences that these comparisons found, and the comparisons that are missing. */
export async function comparedDrifts(
  db: Queryable,
  chains: readonly ComparedChain[],
): Promise<LedgerDrift[]> {
  const rows = await db.query<{
    chain: string
    address: string | null
    symbol: string
    expected: string
    found: string
  }>(
    `select c.chain, d.address, d.symbol, d.expected, d.found from chain_drifts d join chain_checks c on c.id = d.check_id
     where d.check_id = any($1::bigint[]) order by c.chain, d.number limit ${maxDrifts}`,
    [chains.map(({ checkId }) => checkId).filter((id) => id !== null)],
  )
  return [
    ...rows.map(({ chain, address, symbol, expected, found }): LedgerDrift => {
      const subject = `${chain}:${symbol} ${address === null ? 'without an address' : `at ${address}`}`
      return { kind: 'chain', accountId: null, subject, expected, found }
    }),
    ...chains.flatMap(({ chain, checkedAt, isOverdue }): LedgerDrift[] => {
      const found = checkedAt === null ? 'no comparison' : `the last at ${checkedAt.toISOString()}`
      return isOverdue
        ? [
            {
              kind: 'chain_overdue',
              accountId: null,
              subject: chain,
              expected: 'a comparison since the close before',
              found,
            },
          ]
        : []
    }),
  ]
}

export async function storeCompared(
  db: Queryable,
  closeId: string,
  chains: readonly ComparedChain[],
): Promise<void> {
  await db.query(
    `insert into ledger_close_chains (close_id, chain, check_id, checked_at, height, drifts, is_overdue)
     select $1, * from unnest($2::text[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::integer[], $7::boolean[])`,
    [
      closeId,
      chains.map(({ chain }) => chain),
      chains.map(({ checkId }) => checkId),
      chains.map(({ checkedAt }) => checkedAt),
      chains.map(({ height }) => height?.toString() ?? null),
      chains.map(({ drifts }) => drifts),
      chains.map(({ isOverdue }) => isOverdue),
    ],
  )
}
