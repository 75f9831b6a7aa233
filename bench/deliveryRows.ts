import { getAddress } from 'viem'
import { type DirectConnection, openDirect } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/ids.ts'
import { progress } from './progress.ts'
import { syntheticAddress } from './watchedDatabase.ts'

/** Describes the rows, so that queries can be chosen with a large, a small or an empty result. */
export interface MadeDeliveries {
  count: number
  /** Deliveries of the one large business. */
  ofLarge: number
  /** Times of the oldest and the newest row. */
  from: Date
  to: Date
  /** One delivery in ten is about it; transfers are never about it. */
  busyAddress: string
  /** A few hundred deliveries are about it. */
  usualAddress: string
  /** Five deliveries are about it. */
  rareAddress: string
  /** Endpoints of the large business: the first gets nearly all deliveries, the last nearly no deliveries. */
  endpoints: string[]
}

export const deliveryCount = 5_000_000
const weeks = 13
const dayMs = 86_400_000
const addresses = 5000
const smallBusinesses = 100

/**
 * Inserts five million deliveries of thirteen weeks, nine in ten of one business. Most are delivered, one in
 * a thousand failed, the newest are pending. Transfers are on Ethereum only, so that some filters by `chain`
 * and `type` match nothing. Inserts no events: the lists do not read them.
 */
export async function makeDeliveries(url: string, largeBusiness: string): Promise<MadeDeliveries> {
  const direct = await openDirect(url, 'cowry bench')
  try {
    const to = new Date()
    const from = new Date(to.getTime() - weeks * 7 * dayMs)
    const shown = Array.from({ length: addresses }, (_, n) =>
      getAddress(`0x${syntheticAddress(n + 1).toString('hex')}`),
    )
    const small = Array.from({ length: smallBusinesses }, newId)
    const endpoints = Array.from({ length: 5 }, newId)
    await direct.query("insert into businesses (id, name) select id, 'Bench' from unnest($1::uuid[]) id", [
      small,
    ])
    await direct.query(
      "insert into webhook_endpoints (id, business_id, url, sealed_secret) select id, $1, 'https://example.com/hooks', '' from unnest($2::uuid[]) id",
      [largeBusiness, endpoints],
    )
    await fill(direct, { from, to, largeBusiness, small, endpoints, shown })
    progress('vacuuming and analysing them')
    await direct.query('vacuum (analyze, parallel 2) webhook_deliveries')
    const [row] = await direct.query<{ n: number }>(
      'select sum(n)::int as n from webhook_delivery_counts where business_id = $1',
      [largeBusiness],
    )
    return {
      count: deliveryCount,
      ofLarge: row?.n ?? 0,
      from,
      to,
      busyAddress: shown[0] ?? '',
      usualAddress: shown[2] ?? '',
      rareAddress: shown[1] ?? '',
      endpoints,
    }
  } finally {
    await direct.close()
  }
}

interface Making {
  from: Date
  to: Date
  largeBusiness: string
  small: string[]
  endpoints: string[]
  shown: string[]
}

/**
 * Fills each week in a separate table, then attaches it as a partition. Building the indexes once takes half
 * as long as adding five million rows to seven indexes. The counting trigger does not see these rows, so they
 * are counted at the end.
 */
async function fill(direct: DirectConnection, making: Making): Promise<void> {
  await direct.query("set maintenance_work_mem = '256MB'")
  const weekMs = 7 * dayMs
  const span = making.to.getTime() - making.from.getTime()
  // 1970 started on a Thursday; weeks start on Monday.
  const begin = Math.floor((making.from.getTime() + 3 * dayMs) / weekMs) * weekMs - 3 * dayMs
  const firstFrom = (time: number) =>
    Math.min(deliveryCount, Math.max(0, Math.ceil(((time - making.from.getTime()) * deliveryCount) / span)))
  for (let week = begin; week <= making.to.getTime(); week += weekMs) {
    const [first, end] = [firstFrom(week), firstFrom(week + weekMs)]
    progress(`${first.toLocaleString('en')} of ${deliveryCount.toLocaleString('en')} deliveries`)
    const [day, nextDay] = [week, week + weekMs].map((time) => new Date(time).toISOString().slice(0, 10)) as [
      string,
      string,
    ]
    const partition = `webhook_deliveries_p${day.replaceAll('-', '')}`
    const [known] = await direct.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      partition,
    ])
    if (!known?.there) await direct.query('select add_webhook_partition($1::date, $2::date)', [day, nextDay])
    await direct.query(`drop table ${partition}`)
    await direct.query(
      `create table ${partition} (like webhook_deliveries including defaults including constraints)`,
    )
    await insert(direct, partition, making, first, end - 1)
    await direct.query(
      `alter table webhook_deliveries attach partition ${partition} for values from ('${day}Z') to ('${nextDay}Z')`,
    )
  }
  await direct.query(
    `insert into webhook_delivery_counts
     select business_id, endpoint_id, topic, type, chain, status, count(*) from webhook_deliveries group by 1, 2, 3, 4, 5, 6`,
  )
}

async function insert(
  direct: DirectConnection,
  table: string,
  making: Making,
  first: number,
  last: number,
): Promise<void> {
  const { from, to, largeBusiness, small, endpoints, shown } = making
  await direct.query(
    `insert into ${table} (id, created_at, event_id, business_id, endpoint_id, topic, type, chain, address, symbol, amount, tx_id, status,
       attempts_count, delivered_at)
     select (lpad(to_hex(ms), 12, '0') || '7' || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid, to_timestamp(ms / 1000.0),
       (lpad(to_hex(ms), 12, '0') || '7' || substr(hash, 5, 3) || '9' || substr(hash, 9, 15))::uuid,
       case when large then $4::uuid else ($5::uuid[])[1 + a % $6::int] end,
       case when large then ($7::uuid[])[case when i % 100000 = 3 then 5 when b % 100 < 80 then 1 else 2 + b % 3 end] end,
       split_part(type, '.', 1), type,
       case when i % 20000 = 11 then 'stellar' when is_transfer or c % 10 < 7 then 'ethereum' when c % 10 < 9 then 'polygon' else 'tron' end,
       ($8::text[])[case when i % 1000000 = 5 then 2 when d % 10 = 0 and not is_transfer then 1 else 3 + d % ($9::int - 2) end],
       'USDC', '100', '0x' || hash || hash, status, case status when 'pending' then 0 when 'failed' then 10 else 1 end,
       case status when 'delivered' then to_timestamp(ms / 1000.0) end
     from (
       select *, type like 'transfer.%' as is_transfer from (
         select i, ms, hash, a, b, c, d, i % 10 <> 0 as large,
           case when i % 250000 = 7 then 'endpoint.test'
             else (array['transaction.detected', 'transaction.confirmed', 'session.detected', 'session.paid', 'transfer.confirmed'])[
               case when a % 100 < 40 then 1 when a % 100 < 75 then 2 when a % 100 < 85 then 3 when a % 100 < 95 then 4 else 5 end] end as type,
           case when i >= $10::int - 2000 then 'pending' when i % 1000 = 3 then 'failed' else 'delivered' end as status
         from (
           select i, $1::bigint + i * $2::bigint / $10::int as ms, md5(i::text) as hash, hashint4(i) & 2147483647 as a,
             hashint4(i + 1000000007) & 2147483647 as b, hashint4(i + 500000003) & 2147483647 as c, hashint4(i + 700000001) & 2147483647 as d
           from generate_series($3::int, $11::int) i) numbers) typed) made`,
    [
      from.getTime(),
      to.getTime() - from.getTime(),
      first,
      largeBusiness,
      small,
      small.length,
      endpoints,
      shown,
      shown.length,
      deliveryCount,
      last,
    ],
  )
}
