import { z } from 'zod'
import type { Queryable } from '../platform/database/db.ts'
import type { Bank, KnownBanks, RatePartner } from './rates.ts'

/** A list is refreshed after this; the operation is public, and must not put load on the partner. */
export const freshMs = 60_000
/** The pause after a failure. */
const retryMs = 10_000
/** A process that queries for longer has died: the client gives up much earlier. */
const leaseMs = 30_000

type Asked = Pick<RatePartner, 'name' | 'url'>

const form: z.ZodType<Bank[]> = z
  .array(
    z.object({
      id: z.string(),
      name: z.string(),
      code: z.string(),
      countryCode: z.string(),
      currencies: z.array(z.string()),
    }),
  )
  .min(1)

export interface StoredBanks {
  /** Null until the partner has answered once. */
  known: KnownBanks | null
  ageMs: number
  /** True while a process queries the partner. */
  isAsking: boolean
}

/** The database's clock counts: it is one for all processes. */
export async function readBanks(db: Queryable, { name, url }: Asked): Promise<StoredBanks> {
  const [row] = await db.query<{ banks: unknown; asOf: Date; ageMs: number; isAsking: boolean | null }>(
    `select banks, as_of as "asOf", (extract(epoch from clock_timestamp() - as_of) * 1000)::float8 as "ageMs",
       asked_at > clock_timestamp() - $3 * interval '1 ms' as "isAsking"
     from partner_banks where partner = $1 and url = $2`,
    [name, url, leaseMs],
  )
  // A list in the form of another version is read again.
  const banks = form.safeParse(row?.banks).data
  const known = row && banks ? { banks, asOf: row.asOf } : null
  return {
    known,
    ageMs: known ? Number(row?.ageMs) : Number.POSITIVE_INFINITY,
    isAsking: row?.isAsking === true,
  }
}

/**
 * Claims the next request to the partner, for one process. Null if it is not due, or another process has it.
 */
export async function claimQuestion(db: Queryable, { name, url }: Asked): Promise<string | null> {
  const [row] = await db.query<{ askedAt: string }>(
    `insert into partner_banks as kept (partner, url, asked_at, next_ask_at) values ($1, $2, clock_timestamp(), clock_timestamp())
     on conflict (partner, url) do update set asked_at = excluded.asked_at
     where kept.next_ask_at <= clock_timestamp() and (kept.asked_at is null or kept.asked_at <= clock_timestamp() - $3 * interval '1 ms')
     returning asked_at::text as "askedAt"`,
    [name, url, leaseMs],
  )
  return row?.askedAt ?? null
}

/** Stores the answer to a claimed question. Null if the claim was lost meanwhile. */
export async function storeBanks(
  db: Queryable,
  { name, url }: Asked,
  askedAt: string,
  banks: readonly Bank[],
): Promise<KnownBanks | null> {
  const [row] = await db.query<{ asOf: Date }>(
    `update partner_banks set banks = $4::jsonb, as_of = asked_at, asked_at = null, next_ask_at = asked_at + $5 * interval '1 ms'
     where partner = $1 and url = $2 and asked_at = $3::timestamptz returning as_of as "asOf"`,
    [name, url, askedAt, JSON.stringify(banks), freshMs],
  )
  return row ? { banks: [...banks], asOf: row.asOf } : null
}

/** Ends a claimed question that had no good answer; what was stored stays. */
export async function endQuestion(db: Queryable, { name, url }: Asked, askedAt: string): Promise<void> {
  await db.query(
    `update partner_banks set asked_at = null, next_ask_at = clock_timestamp() + $4 * interval '1 ms'
     where partner = $1 and url = $2 and asked_at = $3::timestamptz`,
    [name, url, askedAt, retryMs],
  )
}
