import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { RateLimiter } from '../limits/rateLimiter.ts'
import { tooManyRequests } from '../limits/tooManyRequests.ts'
import { networkOf } from '../platform/addresses.ts'
import type { Db, Queryable, Tx } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { Secret } from '../platform/secrets.ts'
import { knownDevice } from './deviceCookie.ts'
import type { Factor } from './factor.ts'
import { type Account, accountColumns, normalEmail } from './findAccount.ts'
import type { Passwords } from './passwords.ts'
import { type CountedGuess, countGuess } from './signInLimits.ts'
import { knownThereSql, type Origin } from './signIns.ts'
import { isRecoveryCode, takeRecoveryCode, takeTotpCode } from './totp.ts'

/** What accounts work with. */
export interface AccountsContext {
  db: Db
  log: Log
  appKey: Secret
  limiter: RateLimiter
  passwords: Passwords
}

export interface Attempt {
  email: string
  password: string
  totp?: string
  recoveryCode?: string
  origin: Origin
  /** The device cookie, where there is one. */
  device: string | null
  requestId: string
}

/** Who it is, and by which second factor; null where the account has none. */
export interface Verified {
  account: Account
  factor: Factor | null
}

/** Tells the audit log that a session or a token begins, and whether a recovery code was spent for it. */
export const recordSignIn = (db: Queryable, actor: Actor, kind: 'dashboard' | 'token', factor: Verified['factor']): Promise<void> =>
  recordAudit(db, actor, { businessId: null, action: 'account.signed_in', target: actor.id, after: { kind, ...(factor && { factor }) } })

export const actorOf = (account: Pick<Account, 'id' | 'email'>, from: { address: string; requestId: string }): Actor => ({
  kind: 'account',
  id: account.id,
  label: account.email,
  address: from.address,
  requestId: from.requestId,
})

const wrongPassword = () => new ApiError(401, 'invalid_credentials', 'The email address or the password is wrong')

/**
 * Verifies who signs in: limits first, then exactly one password verification (also where there is no such account), then the second
 * factor where the account has one. Whoever then begins something for the account does so by `requireUnchanged`.
 * @throws ApiError 401 `invalid_credentials`, `totp_required`, `invalid_totp`; 429; 503
 */
export async function verifySignIn(ctx: AccountsContext, attempt: Attempt): Promise<Verified> {
  const email = normalEmail(attempt.email)
  const network = networkOf(attempt.origin.address)
  const [account] = await ctx.db.query<Account & { knownThere: boolean }>(
    `select ${accountColumns}, ${knownThereSql} as "knownThere" from accounts a where email = $1`,
    [email, network],
  )
  const device = account ? knownDevice(ctx.appKey, attempt.device, account) : null
  const known = account && (device || account.knownThere) ? { accountId: account.id, device } : null
  const guess = await countGuess(ctx, { email, address: attempt.origin.address, known })
  let factor: Verified['factor'] = null
  try {
    await refuseStrangers(ctx, account, attempt, guess)
    if (!(await ctx.passwords.verify(account?.passwordHash ?? null, attempt.password, known ? null : email)) || !account) throw wrongPassword()
    if (account.totpEnabledAt) factor = await verifySecondFactor(ctx, account, attempt, guess)
  } catch (error) {
    const outcome = error instanceof ApiError ? error.error : 'failed'
    if (outcome === 'invalid_credentials' || outcome === 'invalid_totp') {
      // Not the address that was typed: people type passwords there.
      ctx.log.warn({ account: account?.id ?? null, address: attempt.origin.address, requestId: attempt.requestId, outcome }, 'a wrong sign-in')
    } else if (!(error instanceof ApiError) || error.status !== 429) await guess.giveBack()
    throw error
  }
  await guess.giveBack()
  return { account, factor }
}

/**
 * Verifying takes time, and a password can be changed meanwhile: what is begun for the account is begun only if it is as it was verified,
 * and before whatever changes it next.
 * @throws ApiError 401 `invalid_credentials`
 */
export async function requireUnchanged(tx: Tx, account: Account): Promise<void> {
  const same = await tx.query(
    `select 1 from accounts where id = $1 and password_hash = $2 and date_trunc('milliseconds', totp_enabled_at) is not distinct from $3 for share`,
    [account.id, account.passwordHash, account.totpEnabledAt],
  )
  if (same.length === 0) throw wrongPassword()
}

/**
 * Keeps strangers out while their common limit is used up. An owner to whom all is new, browser and network, has something that nobody can
 * guess: a recovery code.
 * @throws ApiError 429
 */
async function refuseStrangers(ctx: AccountsContext, account: Account | undefined, attempt: Attempt, guess: CountedGuess): Promise<void> {
  const over = guess.lockedForStrangers()
  if (!over) return
  const nobody = '00000000-0000-0000-0000-000000000000'
  const isOwner = attempt.recoveryCode !== undefined && (await isRecoveryCode(ctx, account?.id ?? nobody, attempt.recoveryCode))
  if (!isOwner || !account) throw tooManyRequests(over)
  // Whoever found a code must not have guesses at the password without end.
  const standing = await ctx.limiter.count({ name: 'sign-in-recovery', of: account.id, most: 10, windowSeconds: 3600 })
  if (standing.over) throw tooManyRequests(standing)
}

async function verifySecondFactor(ctx: AccountsContext, account: Account, attempt: Attempt, guess: CountedGuess): Promise<'totp' | 'recovery_code'> {
  if (attempt.totp === undefined && attempt.recoveryCode === undefined)
    throw new ApiError(401, 'totp_required', 'Send the six digits of the authenticator as totp, or a recovery code as recoveryCode')
  await guess.countCode(account.id)
  await refuseStrangers(ctx, account, attempt, guess)
  if (!(await takeSecondFactor(ctx, account, attempt))) throw new ApiError(401, 'invalid_totp', 'The code is wrong, or it was used before')
  return attempt.totp === undefined ? 'recovery_code' : 'totp'
}

/** Takes a code of the authenticator, or a recovery code; each counts once. */
export async function takeSecondFactor(
  ctx: Pick<AccountsContext, 'db' | 'appKey'>,
  account: Account,
  given: { totp?: string; recoveryCode?: string },
): Promise<boolean> {
  if (given.totp !== undefined) {
    return account.totpSealed !== null && (await takeTotpCode(ctx, ctx.db, { id: account.id, totpSealed: account.totpSealed }, given.totp))
  }
  return given.recoveryCode !== undefined && (await takeRecoveryCode(ctx.db, account.id, given.recoveryCode))
}
