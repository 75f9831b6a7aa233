import { openDirect } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { progress } from './progress.ts'
import type { Scope } from './scope.ts'

export const asset = 'ethereum:USDC'

/** A ledger with that many credits, spread over the businesses. */
export async function filledLedger(
  scope: Scope,
  entries: number,
  businesses: number,
): Promise<{ database: TestDatabase; businessIds: string[] }> {
  const database = scope.keep(await createTestDatabase(20), (each) => each.drop())
  progress(`inserting ${entries.toLocaleString('en')} entries`)
  const businessIds = Array.from({ length: businesses }, newId)
  const direct = await openDirect(database.url, 'cowry bench')
  try {
    // Vacuum marks a page as visible to all only where the log of its rows is written. Autovacuum, which
    // production has, comes later than that.
    await direct.query('set synchronous_commit = on')
    await direct.query(
      "insert into businesses (id, name) select id, 'Bench' from unnest($1::uuid[]) as b(id)",
      [businessIds],
    )
    await direct.query(
      `insert into ledger_accounts (name, business_id, asset, normal_side)
       select 'available', id, $2, 'credit' from unnest($1::uuid[]) as b(id)
       union all select 'receivable', id, $2, 'debit' from unnest($1::uuid[]) as b(id)
       union all select 'deposits:ethereum', null, $2, 'debit'`,
      [businessIds, asset],
    )
    // Without triggers: the balances are set below.
    await direct.query('set session_replication_role = replica')
    await direct.query(
      `create temporary table made as
       select (lpad(to_hex(1700000000000 + i), 12, '0') || '7000' || '8' || substr(md5(i::text), 1, 15))::uuid as id, i, ($1::uuid[])[1 + i % $2::int] as business_id
       from generate_series(1, $3::int) as i`,
      [businessIds, businesses, entries],
    )
    await direct.query(
      `insert into ledger_entries (id, kind, business_id, cause_kind, reference, step, created_at)
       select id, case when i % 10 = 0 then 'payout.reserved' else 'deposit.credited' end, business_id, 'session_payment', gen_random_uuid(), 1,
         to_timestamp(1700000000 + i / 1000.0) from made`,
    )
    await direct.query('analyze made')
    await direct.query(
      `insert into ledger_postings (entry_id, account_id, asset, amount)
       select m.id, case side when 0 then d.id else a.id end, $1, case side when 0 then 1000 else -1000 end
       from made m join ledger_accounts a on a.name = 'available' and a.asset = $1 and a.business_id = m.business_id
         join ledger_accounts d on d.name = 'deposits:ethereum' and d.asset = $1, generate_series(0, 1) as side
       order by m.i, side`,
      [asset],
    )
    await direct.query(
      `update ledger_balances b set balance = s.balance
       from (select account_id, abs(sum(amount)) as balance from ledger_postings group by 1) s where s.account_id = b.account_id and b.slot = 0`,
    )
    await direct.query('set session_replication_role = origin')
    for (const table of ['ledger_accounts', 'ledger_entries', 'ledger_postings', 'ledger_balances'])
      await direct.query(`vacuum (analyze) ${table}`)
    // The same columns and indexes, without triggers and references.
    await direct.query('create table bare_entries (like ledger_entries including defaults including indexes)')
    await direct.query(
      'create table bare_postings (like ledger_postings including defaults including identity including indexes)',
    )
  } finally {
    await direct.close()
  }
  return { database, businessIds }
}
