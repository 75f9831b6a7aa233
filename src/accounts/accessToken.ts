import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import type { Approval } from '../members/businessApproval.ts'
import { requiresFactorSql } from '../members/businessApproval.ts'
import type { Role } from '../members/role.ts'
import type { Db } from '../platform/database/db.ts'
import { ApiError, type BusinessChoice } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { Factor } from './factor.ts'
import { factorIsStaleSql } from './freshFactor.ts'
import { tokenSeconds } from './signIns.ts'
import { algorithm, type SigningKeys } from './signingKeys.ts'

const audience = 'cowry-api'

export interface TokenContext {
  db: Db
  signingKeys: SigningKeys
  /** The deployment's own URL. */
  issuer: string
}

/**
 * Signs an access token (RFC 7519, claims of RFC 9068) that acts for one business of the account, if it has
 * one.
 */
export async function issueAccessToken(
  ctx: Pick<TokenContext, 'signingKeys' | 'issuer'>,
  claims: { accountId: string; signInId: string; businessId: string | null },
): Promise<string> {
  const { kid, key } = await ctx.signingKeys.current()
  return new SignJWT({ business: claims.businessId })
    .setProtectedHeader({ alg: algorithm, kid, typ: 'at+jwt' })
    .setIssuer(ctx.issuer)
    .setAudience(audience)
    .setSubject(claims.accountId)
    .setJti(claims.signInId)
    .setIssuedAt()
    .setExpirationTime(`${tokenSeconds}s`)
    .sign(key)
}

/** The claims of a valid access token. */
export interface TokenClaims {
  accountId: string
  signInId: string
  businessId: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * @returns the claims of a token of this deployment; `expired` when it has expired; null for any other text
 */
export async function readAccessToken(
  ctx: Pick<TokenContext, 'signingKeys' | 'issuer'>,
  token: string,
): Promise<TokenClaims | 'expired' | null> {
  try {
    const { kid } = decodeProtectedHeader(token)
    const key = kid !== undefined && isUuid(kid) ? await ctx.signingKeys.find(kid) : null
    if (!key) return null
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer: ctx.issuer,
      audience,
      typ: 'at+jwt',
      requiredClaims: ['exp'],
    })
    const { sub, jti, exp, business } = payload
    if (!sub || !jti || exp === undefined || !isUuid(sub) || !isUuid(jti)) return null
    const businessId = typeof business === 'string' ? business : null
    return { accountId: sub, signInId: jti, businessId, expiresAt: exp * 1000 }
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired'
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}

/** The account behind a token, and its role in a business. */
export interface TokenHolder {
  email: string
  operator: boolean
  role: Role | null
  factor: Factor | null
  factorIsStale: boolean
  /** The business requires a second factor of its members who may move money. */
  businessRequires: boolean
  business: { id: string; name: string; approval: Approval } | null
}

/**
 * Reads the account behind a token's claims on every request, so that a revocation takes effect at once.
 * @param businessId the business that the request is for; null: no business
 * @returns null when the token was revoked
 */
export async function holderOf(
  ctx: { db: Db },
  claims: Pick<TokenClaims, 'accountId' | 'signInId'>,
  businessId: string | null,
): Promise<TokenHolder | null> {
  const [row] = await ctx.db.query<{
    email: string
    operator: boolean
    role: Role | null
    factor: Factor | null
    factorIsStale: boolean
    id: string | null
    name: string
    approval: Approval
    requires: boolean | null
  }>(
    `select a.email, a.operator, m.role, s.factor, ${factorIsStaleSql} as "factorIsStale", b.id, b.name, b.approval, ${requiresFactorSql('b')} as requires
     from sign_ins s join accounts a on a.id = s.account_id
     left join members m on m.account_id = a.id and m.business_id = $3
     left join businesses b on b.id = m.business_id
     where s.id = $1 and s.account_id = $2 and s.kind = 'token' and s.revoked_at is null and s.expires_at > now()`,
    [claims.signInId, claims.accountId, businessId],
  )
  if (!row) return null
  const business = row.id === null ? null : { id: row.id, name: row.name, approval: row.approval }
  const { email, operator, role, factor, factorIsStale, requires } = row
  return { email, operator, role, factor, factorIsStale, businessRequires: requires ?? false, business }
}

/**
 * The business that an account's tokens act for by default: the chosen one, otherwise the first one joined.
 */
export async function usualBusinessOf(ctx: { db: Db }, accountId: string): Promise<string | null> {
  const [row] = await ctx.db.query<{ id: string }>(
    `select m.business_id as id from members m join accounts a on a.id = m.account_id
     where a.id = $1 order by m.business_id is not distinct from a.default_business_id desc, m.created_at, m.business_id limit 1`,
    [accountId],
  )
  return row?.id ?? null
}

/**
 * Refuses to guess which business a write is for: the business that invited an address first must not receive
 * its owner's later work.
 * @param businessId the business that the token acts for
 * @throws ApiError 400 `business_required`, unless it is the account's only business or its chosen default
 */
export async function requireChosenBusiness(
  ctx: { db: Db },
  accountId: string,
  businessId: string,
): Promise<void> {
  const businesses = await ctx.db.query<BusinessChoice & { chosen: boolean }>(
    `select b.id, b.name, b.id is not distinct from a.default_business_id as chosen
     from members m join accounts a on a.id = m.account_id join businesses b on b.id = m.business_id
     where a.id = $1 order by m.created_at, b.id`,
    [accountId],
  )
  if (businesses.length < 2 || businesses.some(({ id, chosen }) => chosen && id === businessId)) return
  throw new ApiError(
    400,
    'business_required',
    'You belong to several businesses: name one in X-Business-Id, or choose a default in the dashboard (Account) and log in again',
    { businesses: businesses.map(({ id, name }) => ({ id, name })) },
  )
}
