import { createHash, randomBytes } from 'node:crypto'
import { type Actor, confirmActor } from '../audit/recordAudit.ts'
import { networkOf } from '../platform/addresses.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { Secret, scrub } from '../platform/secrets.ts'
import type { Factor } from './factor.ts'
import { lockAccount } from './findAccount.ts'
import { factorIsStaleSql } from './freshFactor.ts'

/** The source of a sign-in. */
export interface Origin {
  address: string
  userAgent: string | null
}

/** A dashboard session ends after this long unused, and after `maxDays` in any case. */
const idleHours = 12
const maxDays = 7
/** Lifetime of an access token. */
export const tokenSeconds = 15 * 60
/** A network stays known to the account this long after a sign-in. */
const knownDays = 90

/** The stored hash of a session's secret. */
export const hashOfSession = (text: string): Buffer =>
  createHash('sha256').update(`cowry/session/${text}`).digest()

/**
 * Starts a dashboard session. @returns the value of its cookie: 256 random bits, of which only a hash is
 * stored
 */
export async function startSession(
  db: Queryable,
  accountId: string,
  origin: Origin,
  factor: Factor | null = null,
): Promise<{ id: string; secret: Secret }> {
  const secret = randomBytes(32).toString('base64url')
  const id = await insert(
    db,
    accountId,
    'dashboard',
    origin,
    `${maxDays} days`,
    hashOfSession(secret),
    factor,
  )
  return { id, secret: new Secret(secret) }
}

/** Records an access token before it is issued. @returns the id that the token carries */
export const noteToken = (
  db: Queryable,
  accountId: string,
  origin: Origin,
  factor: Factor | null = null,
): Promise<string> => insert(db, accountId, 'token', origin, `${tokenSeconds} seconds`, null, factor)

async function insert(
  db: Queryable,
  accountId: string,
  kind: 'dashboard' | 'token',
  origin: Origin,
  holds: string,
  secretHash: Buffer | null,
  factor: Factor | null,
): Promise<string> {
  const id = newId()
  await db.query(
    `insert into sign_ins (id, account_id, kind, secret_hash, address, network, user_agent, expires_at, factor, factor_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + $8::interval, $9, case when $9::text is not null then now() end)`,
    [
      id,
      accountId,
      kind,
      secretHash,
      origin.address,
      networkOf(origin.address),
      origin.userAgent === null ? null : scrub(origin.userAgent).slice(0, 300),
      holds,
      factor,
    ],
  )
  return id
}

/** True when the account signed in from that network before. */
export const knownThereSql = `exists (select 1 from sign_ins s where s.account_id = a.id and s.network = $2 and s.created_at > now() - interval '${knownDays} days')`

export interface SessionFound {
  signInId: string
  accountId: string
  email: string
  operator: boolean
  factor: Factor | null
  factorIsStale: boolean
}

/** @returns the session of a cookie's text and its account; null when it is unknown or has ended */
export async function findSession(ctx: { db: Db }, secret: string): Promise<SessionFound | null> {
  const [row] = await ctx.db.query<SessionFound & { stale: boolean }>(
    `select s.id as "signInId", a.id as "accountId", a.email, a.operator, s.factor, ${factorIsStaleSql} as "factorIsStale",
       s.last_seen_at < now() - interval '1 minute' as stale
     from sign_ins s join accounts a on a.id = s.account_id
     where s.secret_hash = $1 and s.revoked_at is null and s.expires_at > now() and s.last_seen_at > now() - interval '${idleHours} hours'`,
    [hashOfSession(secret)],
  )
  if (!row) return null
  if (row.stale) await ctx.db.query('update sign_ins set last_seen_at = now() where id = $1', [row.signInId])
  const { stale: _, ...session } = row
  return session
}

/** Maximum age of a dashboard session. */
export const sessionMs = maxDays * 24 * 3600 * 1000

/** Hashes of open sessions, with ids from `firstId` on. */
export const readSessionHashes = async (ctx: { db: Db }, firstId: string): Promise<Buffer[]> =>
  (
    await ctx.db.query<{ hash: Buffer }>(
      `select secret_hash as hash from sign_ins where id >= $1 and kind = 'dashboard' and revoked_at is null and expires_at > now()`,
      [firstId],
    )
  ).map(({ hash }) => hash)

export interface SignInView {
  id: string
  kind: 'dashboard' | 'token'
  current: boolean
  address: string
  userAgent: string | null
  createdAt: string
  lastSeenAt: string
  expiresAt: string
}

const holds = `revoked_at is null and expires_at > now() and (kind = 'token' or last_seen_at > now() - interval '${idleHours} hours')`

/** Open sign-ins, newest first; at most 100. */
export async function listSignIns(
  ctx: { db: Db },
  accountId: string,
  currentId: string,
): Promise<SignInView[]> {
  const rows = await ctx.db.query<
    Omit<SignInView, 'current' | 'createdAt' | 'lastSeenAt' | 'expiresAt'> &
      Record<'createdAt' | 'lastSeenAt' | 'expiresAt', Date>
  >(
    `select id, kind, address, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
     from sign_ins where account_id = $1 and ${holds} order by id desc limit 100`,
    [accountId],
  )
  return rows.map((row) => ({
    ...row,
    current: row.id === currentId,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}

/** Waits for running changes made with these sign-ins. Ordered: two may end each other. */
async function lockSignIns(tx: Tx, accountId: string): Promise<void> {
  await lockAccount(tx, accountId)
  await tx.query(
    'select 1 from sign_ins where account_id = $1 and revoked_at is null and expires_at > now() order by id for update',
    [accountId],
  )
}

/** Ends one session or token, possibly the actor's own. @throws ApiError 404, also for another account's */
export async function revokeSignIn(tx: Tx, actor: Actor, accountId: string, id: string): Promise<void> {
  await lockSignIns(tx, accountId)
  await confirmActor(tx, actor)
  const ended = isUuid(id)
    ? await tx.query(
        `update sign_ins set revoked_at = now() where id = $1 and account_id = $2 and ${holds} returning id`,
        [id, accountId],
      )
    : []
  if (ended.length === 0) throw notFound('sign-in')
}

/**
 * Ends every session and token of an account. @param butFor the session that stays, if any @returns the
 * number ended
 */
export async function revokeAllSignIns(
  tx: Tx,
  actor: Actor,
  accountId: string,
  butFor: string | null = null,
): Promise<number> {
  await lockSignIns(tx, accountId)
  await confirmActor(tx, actor)
  const ended = await tx.query(
    'update sign_ins set revoked_at = now() where account_id = $1 and revoked_at is null and expires_at > now() and id is distinct from $2 returning id',
    [accountId, butFor],
  )
  return ended.length
}
