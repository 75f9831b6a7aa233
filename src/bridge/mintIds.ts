import { createHash } from 'node:crypto'
import type { Queryable } from '../platform/database/db.ts'

/**
 * So many transactions of the treasury mint one burn within a day: a first one, and others after one that
 * failed, such as for a message that expired.
 */
export const maxMints = 5
/** Intents that end unsigned, such as for a lack of gas, use up an id each. */
export const maxMintIds = 1000

/** The id of a transfer's nth mint: the treasury works it out, too. */
export const mintId = (transferId: string, n: number): string =>
  derivedId(`cowry bridge mint ${transferId} ${n}`)

/** A UUID that follows from a text (version 8, RFC 9562). */
export function derivedId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const mintIdsOf = (transferId: string): string[] =>
  Array.from({ length: maxMintIds }, (_, n) => mintId(transferId, n))

/** The first id without an intent; undefined: all are used. */
export async function unusedId(db: Queryable, ids: readonly string[]): Promise<string | undefined> {
  const used = await db.query<{ id: string }>('select id from intents where id = any($1::uuid[])', [ids])
  const known = new Set(used.map(({ id }) => id))
  return ids.find((each) => !known.has(each))
}

/**
 * Mints of a transfer that the treasury has signed in the last 24 hours, by its own record. @param except an
 * intent that does not count
 */
export async function signedMints(
  db: Queryable,
  transferId: string,
  except: string | null = null,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(distinct intent_id)::int as count from treasury_signatures
     where intent_id = any($1::uuid[]) and intent_id is distinct from $2 and signed_at > now() - interval '24 hours'`,
    [mintIdsOf(transferId), except],
  )
  return row?.count ?? 0
}
