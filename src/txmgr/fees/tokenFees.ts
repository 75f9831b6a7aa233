import type { Queryable } from '../../platform/database/db.ts'

/** Confirmed within 24 hours, by chain. */
export const readTokenFees = (db: Queryable): Promise<{ chain: string; count: number }[]> =>
  db.query(
    `select chain, count(*)::int as count from intents
     where token_kept <> '[]' and status = 'confirmed' and updated_at > now() - interval '24 hours' group by chain`,
  )
