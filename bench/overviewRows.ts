import { contribution } from '../migrations/0236-taken-sums.ts'
import { openDirect } from '../src/platform/database/db.ts'
import type { Stack } from '../test/support/stack.ts'
import { progress } from './progress.ts'

/**
 * Inserts sessions of a business with their payments, spread over the last days: 86 % were paid, 12 % expired,
 * 2 % were cancelled. One in 100 needed a decision, of which one in ten is still open.
 */
export async function fillSessions(
  stack: Stack,
  businessId: string,
  count: number,
  days: number,
): Promise<void> {
  progress(`inserting ${count.toLocaleString('en')} sessions of ${days} days`)
  const direct = await openDirect(stack.databaseUrl, 'cowry bench')
  try {
    // Without the foreign keys' detections, which the overview does not read, and the triggers that sum.
    await direct.query("set session_replication_role = 'replica'")
    await direct.query(
      `insert into pos_sessions (id, business_id, chain, token, family, address, amount_expected, amount_received, amount_settled,
         local_amount, local_currency, rate, fx_margin_percent, fee, fee_currency, status, exception, resolution, required_confirmations,
         label, reference, metadata, created_at, expires_at, paid_at, cancelled_at)
       select gen_random_uuid(), $1::uuid, chain, 'USDC', 'evm', '0x' || encode(sha256(($1::uuid::text || n)::bytea), 'hex'), units,
         case when status = 'paid' then units else 0 end, case when status = 'paid' then units else 0 end,
         units * 1550 / 1000000, 'NGN', 1550, 1, 1, 'NGN', status, exception,
         case when exception <> 'none' and n % 1000 <> 50 then 'left' end, 12,
         'Order ' || n, 'INV-' || n, jsonb_build_object('order', n), at, at + interval '10 minutes',
         case when status = 'paid' then at + interval '2 minutes' end, case when status = 'cancelled' then at + interval '1 minute' end
       from (
         select n, now() - (n::float8 / $2::int) * $3::int * interval '1 day' as at, (1000000 + n % 90000000)::numeric as units,
           (array['ethereum', 'base', 'polygon'])[1 + n % 3] as chain,
           case when n % 50 < 43 then 'paid' when n % 50 < 49 then 'expired' else 'cancelled' end as status,
           case when n % 100 = 50 then 'overpaid' else 'none' end as exception
         from generate_series(1, $2::int) n
       ) s`,
      [businessId, count, days],
    )
    await direct.query(
      `insert into session_payments (detection_id, session_id, generation, status, posted, created_at)
       select gen_random_uuid(), id, 0, 'confirmed', 'available', paid_at - interval '30 seconds' from pos_sessions
       where business_id = $1 and paid_at is not null`,
      [businessId],
    )
    await direct.query(
      `insert into taken_sums (business_id, at, chain, token, currency, payments, units, local, unpaid)
       select c.business_id, c.at, c.chain, c.token, c.currency, sum(c.payments), sum(c.units), sum(c.local), sum(c.unpaid)
       from pos_sessions s cross join lateral (${contribution('s', 1)}) c where s.business_id = $1 group by 1, 2, 3, 4, 5`,
      [businessId],
    )
    // Changes of some minutes, which are not folded yet.
    await direct.query("set session_replication_role = 'origin'")
    await direct.query(
      `update pos_sessions set amount_settled = amount_settled - 1 where id in (
         select id from pos_sessions where business_id = $1 and paid_at is not null order by paid_at desc limit 1000)`,
      [businessId],
    )
    for (const table of ['taken_sums', 'taken_changes']) await direct.query(`vacuum (analyze) ${table}`)
    await direct.query('vacuum (analyze) pos_sessions')
    await direct.query('vacuum (analyze) session_payments')
  } finally {
    await direct.close()
  }
}
