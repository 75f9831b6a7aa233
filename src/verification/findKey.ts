import { hashOfKey } from '../apiKeys/form.ts'
import type { Approval } from '../members/businessApproval.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import type { KeyKind } from './model.ts'

/** A key as a request sees it. */
export interface VerificationKeyInUse {
  id: string
  name: string
  kind: KeyKind
  prefix: string
  origins: string[]
  businessId: string
  businessName: string
  approval: Approval
}

const inUse = `select k.id, k.name, k.kind, k.prefix, k.origins, k.business_id as "businessId", b.name as "businessName"`
const from = 'from verification_keys k join businesses b on b.id = k.business_id'
const lives = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())'

/**
 * Finds a well-formed key; null when it is unknown, revoked or expired. Never cached: a revocation takes
 * effect with the next request.
 */
export async function findVerificationKey(
  ctx: { db: Db },
  text: string,
): Promise<VerificationKeyInUse | null> {
  const [key] = await ctx.db.query<VerificationKeyInUse>(byHash, [hashOfKey(text)])
  return key ?? null
}

const byHash = prepared(`${inUse}, b.approval ${from} where k.hash = $1 and ${lives}`)

/**
 * Reads and locks a key that was found before, and its business's approval; both hold until the transaction
 * ends.
 */
export async function keepVerificationKey(tx: Tx, id: string): Promise<VerificationKeyInUse | null> {
  const [key] = await tx.query<VerificationKeyInUse>(byId, [id])
  return key ?? null
}

const byId = prepared(
  `${inUse}, approval_kept(b.id) as approval ${from} where k.id = $1 and ${lives} for key share of k`,
)

/** A web site that may use some publishable key. */
export async function isOriginOfKey(ctx: { db: Db }, origin: string): Promise<boolean> {
  const [found] = await ctx.db.query(byOrigin, [origin])
  return found !== undefined
}

const byOrigin = prepared(
  `select 1 from verification_keys k where k.origins @> array[$1] and k.origins <> '{}' and ${lives} limit 1`,
)

/** Hashes of keys that are not revoked, with ids from `firstId` on. */
export const readVerificationKeyHashes = async (ctx: { db: Db }, firstId: string): Promise<Buffer[]> =>
  (
    await ctx.db.query<{ hash: Buffer }>(
      'select hash from verification_keys where id >= $1 and revoked_at is null',
      [firstId],
    )
  ).map(({ hash }) => hash)
