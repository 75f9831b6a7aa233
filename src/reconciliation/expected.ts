import type { ConfiguredChain } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'
import { isOwnGas } from '../txmgr/fees/ownGas.ts'

export type CheckedChain = Pick<ConfiguredChain, 'name' | 'family' | 'native' | 'maxFee'>

/** The balance of an address in the books, and what may be on its way. Base units. */
export interface Expected {
  booked: bigint
  /** At most this much more: seen and not confirmed, or sent to it. */
  more: bigint
  /** At most this much less: sent from it, or taken back by a fork. */
  less: bigint
}

/** By address and symbol. Assets without money have no entry. */
export type ExpectedAt = ReadonlyMap<string, ReadonlyMap<string, Expected>>

export const nothing: Expected = { booked: 0n, more: 0n, less: 0n }

interface Line {
  address: string
  symbol: string
  booked: string
  more: string
  less: string
}

export function expectedOf(lines: readonly Line[]): ExpectedAt {
  const byAddress = new Map<string, Map<string, Expected>>()
  for (const { address, symbol, booked, more, less } of lines) {
    const symbols = byAddress.get(address) ?? new Map<string, Expected>()
    byAddress.set(
      address,
      symbols.set(symbol, { booked: BigInt(booked), more: BigInt(more), less: BigInt(less) }),
    )
  }
  return byAddress
}

/** SQL: an intent of the platform, `i`, that was sent and has no outcome yet. */
export const isUnderWay = `(i.status <> 'confirmed' and i.next_reconcile_at is not null
  and exists (select 1 from intent_attempts t where t.intent_id = i.id and t.sends > 0))`

/**
 * SQL: one of the intents of a sweep, `s`, is so. One that is done without a confirmed intent was moved by
 * another sender.
 */
const ofSweep = (isSo: string) => `exists (
  select 1 from sweep_intents x join intents i on i.id = x.intent_id where x.sweep_id = s.id and i.purpose = 'sweep' and ${isSo})`

/** SQL: what entries for a cause have posted to the account of deposits, by asset. */
const postedFor = (kind: string, id: string) => `
  select split_part(l.asset, ':', 2) as symbol, sum(l.amount) as amount
  from ledger_entries e join ledger_postings l on l.entry_id = e.id join ledger_accounts a on a.id = l.account_id
  where e.cause_kind = '${kind}' and e.reference = ${id}::text and a.name = 'deposits:' || $1 group by 1`

/**
 * What deposit addresses hold by the books: payments as posted, what sweeps took, gas that was funded, fees
 * that were paid, and what was booked of lost sweeps. Not of Stellar, whose deposits share one account.
 */
export async function expectedAt(
  db: Queryable,
  chain: CheckedChain,
  addresses: readonly string[],
): Promise<ExpectedAt> {
  const lines = await db.query<Line>(
    `with asked as (select unnest($2::text[]) as address),
     payments as (
       select asked.address, d.id, d.status, t.token, t.amount
       from asked join pos_sessions s on s.family = $3 and s.address = asked.address
         join detections d on d.subject_id = s.id and d.chain = $1 join transfers t on t.id = d.transfer_id
       where t.to_address = asked.address and not ${isOwnGas}),
     posted as (select p.address, p.id, p.status, b.symbol, b.amount from payments p cross join lateral (${postedFor('session_payment', 'p.id')}) b),
     swept as (
       select asked.address, s.token as symbol, s.amount, s.status = 'done' or ${ofSweep("i.status = 'confirmed'")} as moved, ${ofSweep(isUnderWay)} as open
       from asked join sweeps s on s.chain = $1 and s.address = asked.address)
     select address, symbol, sum(booked)::text as booked, sum(more)::text as more, sum(less)::text as less from (
       select address, symbol, amount as booked, 0 as more, case when status = 'reverted' then amount else 0 end as less from posted
       union all select address, token, 0, amount, 0 from payments p
         where status in ('seen', 'confirmed') and not exists (select 1 from posted where posted.id = p.id and posted.amount > 0)
       union all select address, symbol, -amount, 0, 0 from swept where moved
       union all select address, symbol, 0, 0, amount from swept where open and not moved
       union all select asked.address, $4::text, case when i.status = 'confirmed' then i.amount else 0 end, case when ${isUnderWay} then i.amount else 0 end, 0
         from asked join intents i on i.chain = $1 and i.to_address = asked.address and i.purpose = 'gas'
       union all select asked.address, $4::text, -coalesce(i.fee, 0), 0, case when ${isUnderWay} then $5::numeric else 0 end
         from asked join intents i on i.chain = $1 and i.from_address = asked.address and i.business_id is null
       union all select asked.address, r.symbol, r.amount, 0, 0 from asked join recovered_movements r on r.chain = $1 and r.address = asked.address
     ) moved where symbol is not null group by address, symbol`,
    [chain.name, addresses, chain.family, chain.native.symbol, chain.maxFee.toString()],
  )
  return expectedOf(lines)
}
