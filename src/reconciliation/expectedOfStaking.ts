import type { Queryable } from '../platform/database/db.ts'
import { type CheckedChain, type Expected, expectedOf, isUnderWay } from './expected.ts'

type Line = Parameters<typeof expectedOf>[0][number]

/**
 * By symbol: the balance of the staking address in the books. Stakes and payments that were sent, or are
 * not booked yet, are on their way.
 */
export async function expectedOfStaking(
  db: Queryable,
  chain: CheckedChain,
  address: string,
): Promise<ReadonlyMap<string, Expected>> {
  const { name, native, maxFee } = chain
  const lines = await db.query<Line>(
    `select $2::text as address, symbol, sum(booked)::text as booked, sum(more)::text as more, sum(less)::text as less from (
       select split_part(a.asset, ':', 2) as symbol, sum(b.balance) as booked, 0::numeric as more, 0::numeric as less
         from ledger_accounts a join ledger_balances b on b.account_id = a.id where a.business_id is null and a.name = 'staking:' || $1 group by 1
       union all select i.symbol, 0, i.amount, case when s.confirmed_at is null then 0 else i.amount end
         from intents i join stakes s on s.id = i.id
         where i.chain = $1 and i.purpose = 'stake' and (${isUnderWay} or (i.status = 'confirmed') <> (s.confirmed_at is not null))
       union all select i.symbol, 0, 0, i.amount from intents i
         where i.chain = $1 and i.from_address = $2 and i.purpose = 'stake-withdrawal' and ${isUnderWay}
       union all select $3::text, 0, $4::numeric, $4::numeric from intents i
         where i.chain = $1 and i.from_address = $2 and i.purpose in ('stake-withdrawal', 'noop') and ${isUnderWay}
       union all select t.token, 0, t.amount, 0
         from detections d join transfers t on t.id = d.transfer_id join watches w on w.id = d.watch_id
         where d.chain = $1 and d.status = 'seen' and w.purpose = 'suspense' and t.to_address = $2 and t.token is not null
     ) moved where symbol is not null group by symbol`,
    [name, address, native.symbol, maxFee.toString()],
  )
  return expectedOf(lines).get(address) ?? new Map()
}
