import type { Queryable } from '../platform/database/db.ts'
import { type MidRate, middle, type RateFeed } from './rates.ts'

export type FeedSource = Pick<RateFeed, 'name' | 'url'>

/** What the database has of the second source. */
export interface StoredFeed {
  /** Mid rates that are young enough, by currency. */
  usable: ReadonlyMap<string, MidRate>
  /** Currencies whose last rate was refused: what is usable of them is the one before. */
  refused: ReadonlySet<string>
  /** Currencies that it had within the last week. */
  offered: ReadonlySet<string>
  /** A worker requests its rates, and there are none yet. */
  isAwaited: boolean
}

const forgottenAfter = "interval '7 days'"

/** Reads the rates that workers have stored. The database's clock counts. */
export async function readFeed(
  db: Queryable,
  { name, url }: FeedSource,
  maxAgeSeconds: number,
): Promise<StoredFeed> {
  const rows = await db.query<{
    currency: string
    buy: string
    sell: string
    at: Date
    isUsable: boolean
    isRefused: boolean
  }>(
    `select currency, buy::text, sell::text, at, at > clock_timestamp() - $3 * interval '1 s' as "isUsable", refused_buy is not null as "isRefused"
     from partner_rates where partner = $1 and url = $2 and at > clock_timestamp() - ${forgottenAfter}`,
    [name, url, maxAgeSeconds],
  )
  const awaited =
    rows.length === 0 &&
    (await db.query(
      `select 1 from rate_feeds where name = $1 and url = $2 and next_ask_at > clock_timestamp() - ${forgottenAfter}`,
      [name, url],
    ))
  return {
    usable: new Map(
      rows
        .filter(({ isUsable }) => isUsable)
        .map(({ currency, buy, sell, at }) => [currency, { rate: middle(buy, sell), at, source: name }]),
    ),
    refused: new Set(rows.filter(({ isRefused }) => isRefused).map(({ currency }) => currency)),
    offered: new Set(rows.map(({ currency }) => currency)),
    isAwaited: awaited !== false && awaited.length > 0,
  }
}

/** A process that requests for longer has died. */
const leaseMs = 60_000

/** Claims the next request to the source, for one worker. Null if it is not due, or another worker has it. */
export async function claimFeed(db: Queryable, { name, url }: FeedSource): Promise<string | null> {
  const [row] = await db.query<{ askedAt: string }>(
    `insert into rate_feeds as kept (name, url, asked_at, next_ask_at) values ($1, $2, clock_timestamp(), clock_timestamp())
     on conflict (name, url) do update set asked_at = excluded.asked_at
     where kept.next_ask_at <= clock_timestamp() and (kept.asked_at is null or kept.asked_at <= clock_timestamp() - $3 * interval '1 ms')
     returning asked_at::text as "askedAt"`,
    [name, url, leaseMs],
  )
  return row?.askedAt ?? null
}

/** Ends a claimed request. @param problem why it gave no rates */
export async function endFeedRequest(
  db: Queryable,
  { name, url }: FeedSource,
  askedAt: string,
  { waitMs, problem }: { waitMs: number; problem: string | null },
): Promise<void> {
  await db.query(
    `update rate_feeds set asked_at = null, next_ask_at = clock_timestamp() + $4 * interval '1 ms', problem = $5
     where name = $1 and url = $2 and asked_at = $3::timestamptz`,
    [name, url, askedAt, waitMs, problem],
  )
}
