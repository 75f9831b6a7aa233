import { openDirect } from '../src/platform/database/db.ts'
import { progress } from './progress.ts'
import { syntheticAddress } from './watchedDatabase.ts'

export const monitoredCount = 1_000_000

/** The monitored addresses, from 1 on. */
export const syntheticMonitored = syntheticAddress

/** Adds a business with so many monitored addresses on Ethereum and ten on Base; both chains have cursors. */
export async function monitorSynthetic(
  url: string,
  businessId: string,
  count = monitoredCount,
): Promise<void> {
  progress(`monitoring ${count.toLocaleString('en')} addresses`)
  const direct = await openDirect(url, 'cowry bench')
  try {
    await direct.query(
      "insert into chain_cursors (chain, height) values ('ethereum', 30000000), ('base', 30000000) on conflict do nothing",
    )
    for (const [chain, from, to] of [
      ['base', 1, 10],
      ['ethereum', 1, count],
    ] as const) {
      await direct.query(
        `with wanted as (
           select (lpad(to_hex(1700000000000 + i), 12, '0') || '7000' || $5::text || substr(md5(i::text), 1, 15))::uuid as id,
             substring(sha256(convert_to(i::text, 'UTF8')) from 1 for 20) as bytes
           from generate_series($3::int, $4::int) i),
         watching as (
           insert into watches (id, family, chain, address, business_id, purpose, subject_id, from_height)
           select id, 'evm', $2, bytes, $1, 'monitor', id, 30000001 from wanted)
         insert into monitored_addresses (id, business_id, chain, address, metadata)
         select id, $1, $2, '0x' || encode(bytes, 'hex'), '{"order":"A-1"}' from wanted`,
        [businessId, chain, from, to, chain === 'base' ? '9' : '8'],
      )
    }
    await direct.query('vacuum (analyze) watches, monitored_addresses')
  } finally {
    await direct.close()
  }
}
