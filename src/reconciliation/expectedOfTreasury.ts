import type { Queryable } from '../platform/database/db.ts'
import { type CheckedChain, type Expected, expectedOf, isUnderWay } from './expected.ts'

/** SQL: running balances of accounts of the platform, by asset. */
const balances = (names: string) => `
  select split_part(a.asset, ':', 2) as symbol, sum(b.balance) as booked, 0::numeric as more, 0::numeric as less
  from ledger_accounts a join ledger_balances b on b.account_id = a.id where a.business_id is null and a.name in (${names}) group by 1`

/** Of each transaction of the treasury its fee and, on Solana, rent that it pays or gets. */
const ofTransactions = `
  select $2::text as symbol, 0, case when $3::text = 'solana' then $4::numeric else 0 end, $4::numeric + case when i.purpose = 'gas' then i.amount else 0 end
  from intents i where i.chain = $1 and i.from_address = $5 and i.business_id is null and ${isUnderWay}`

/** What outflows have sent that are not booked yet; and what a fork took back of one that is. */
const ofPayouts = `
  select i.symbol, 0, case when o.status = 'completed' then i.amount else 0 end, case when o.status = 'completed' then 0 else i.amount end
  from intents i join outflows o on o.intent_id = i.id
  where i.chain = $1 and i.from_address = $5 and i.purpose = 'payout' and (${isUnderWay} or (i.status = 'confirmed' and o.status in ('processing', 'unknown')))`

/** By symbol: the balance of the treasury's address in the books. */
export async function expectedOfTreasury(
  db: Queryable,
  chain: CheckedChain,
  treasury: string,
): Promise<ReadonlyMap<string, Expected>> {
  const lines = await (chain.family === 'stellar'
    ? ofSharedAccount(db, chain, treasury)
    : ofOwnAddress(db, chain, treasury))
  return expectedOf(lines).get(treasury) ?? new Map()
}

type Line = Parameters<typeof expectedOf>[0][number]

const ofOwnAddress = (db: Queryable, { name, native, family, maxFee }: CheckedChain, treasury: string) =>
  db.query<Line>(
    `select $5::text as address, symbol, sum(booked)::text as booked, sum(more)::text as more, sum(less)::text as less from (
       ${balances("'treasury:' || $1")}
       union all ${ofTransactions}
       union all ${ofPayouts}
       union all select s.token, 0, s.amount, 0
         from sweeps s join sweep_intents x on x.sweep_id = s.id join intents i on i.id = x.intent_id and i.purpose = 'sweep'
         where s.chain = $1 and s.status not in ('done', 'failed') and ${isUnderWay}
     ) moved group by symbol`,
    [name, native.symbol, family, maxFee.toString(), treasury],
  )

/**
 * On Stellar the account of all deposits is the treasury's. Payments that are seen and not confirmed are on
 * their way.
 */
const ofSharedAccount = (db: Queryable, { name, native, family, maxFee }: CheckedChain, treasury: string) =>
  db.query<Line>(
    `select $5::text as address, symbol, sum(booked)::text as booked, sum(more)::text as more, sum(less)::text as less from (
       ${balances("'deposits:' || $1, 'treasury:' || $1")}
       union all ${ofTransactions}
       union all ${ofPayouts}
       union all select t.token, 0, t.amount, 0
         from detections d join transfers t on t.id = d.transfer_id join watches w on w.id = d.watch_id
         where d.chain = $1 and d.status = 'seen' and w.purpose in ('session', 'suspense') and t.token is not null
     ) moved group by symbol`,
    [name, native.symbol, family, maxFee.toString(), treasury],
  )
