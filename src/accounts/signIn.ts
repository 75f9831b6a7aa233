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
import { type Account, accountColumns, hasSecondFactor, normalEmail } from './findAccount.ts'
import type { PasskeyUse } from './passkeyChallenges.ts'
import { type RequestOptions, requestOptions } from './passkeyOptions.ts'
import type { Passwords } from './passwords.ts'
import { type CountedGuess, countGuess } from './signInLimits.ts'
import { knownThereSql, type Origin } from './signIns.ts'
import { isRecoveryCode, takeRecoveryCode, takeTotpCode } from './totp.ts'
import { type PasskeyAnswer, takePasskey } from './verifyPasskey.ts'

/** What accounts work with. */
export interface AccountsContext {
  db: Db
  log: Log
  appKey: Secret
  limiter: RateLimiter
  passwords: Passwords
  /** Where the deployment is reached: passkeys are bound to it. */
  issuer: string
}

/** A second factor, as somebody gives it: one of these. */
export interface GivenFactor {
  totp?: string
  recoveryCode?: string
  passkey?: PasskeyAnswer
}

export interface Attempt extends GivenFactor {
  email: string
  password: string
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
 * Verifies a sign-in: the password, then the second factor where the account has one. What is then begun for the account is begun by
 * `requireUnchanged`.
 * @throws ApiError 401 `invalid_credentials`, `totp_required`, `passkey_required`, `invalid_totp`, `invalid_passkey`; 429; 503
 */
export const verifySignIn = (ctx: AccountsContext, attempt: Attempt): Promise<Verified> =>
  afterPassword(ctx, attempt, async (account, guess) => ({
    account,
    factor: hasSecondFactor(account) ? await verifySecondFactor(ctx, account, attempt, guess) : null,
  }))

/**
 * Asks the passkeys of an account, after its password; null where it has no passkey.
 * @throws ApiError 401 `invalid_credentials`; 429; 503
 */
export const beginPasskeySignIn = (ctx: AccountsContext, attempt: Attempt): Promise<RequestOptions | null> =>
  afterPassword(ctx, attempt, async ({ id, passkeyIds }) =>
    passkeyIds.length === 0 ? null : requestOptions(ctx.db, ctx.issuer, id, { purpose: 'sign_in', signInId: null }),
  )

/** Limits first, then exactly one password verification (also where there is no such account), then `next`. */
async function afterPassword<T>(ctx: AccountsContext, attempt: Attempt, next: (account: Account, guess: CountedGuess) => Promise<T>): Promise<T> {
  const email = normalEmail(attempt.email)
  const network = networkOf(attempt.origin.address)
  const [account] = await ctx.db.query<Account & { knownThere: boolean }>(
    `select ${accountColumns}, ${knownThereSql} as "knownThere" from accounts a where email = $1`,
    [email, network],
  )
  const device = account ? knownDevice(ctx.appKey, attempt.device, account) : null
  const known = account && (device || account.knownThere) ? { accountId: account.id, device } : null
  const guess = await countGuess(ctx, { email, address: attempt.origin.address, known })
  let outcome: T
  try {
    await refuseStrangers(ctx, account, attempt, guess)
    if (!(await ctx.passwords.verify(account?.passwordHash ?? null, attempt.password, known ? null : email)) || !account) throw wrongPassword()
    outcome = await next(account, guess)
  } catch (error) {
    const said = error instanceof ApiError ? error.error : 'failed'
    if (wrongs.has(said)) {
      // Not the address that was typed: people type passwords there.
      const { origin, requestId } = attempt
      ctx.log.warn({ account: account?.id ?? null, address: origin.address, requestId, outcome: said }, 'a wrong sign-in')
    } else if (!(error instanceof ApiError) || error.status !== 429) await guess.giveBack()
    throw error
  }
  await guess.giveBack()
  return outcome
}

/** What counts against the limits. */
const wrongs = new Set(['invalid_credentials', 'invalid_totp', 'invalid_passkey'])

/**
 * Verifying takes time, and a password or a second factor can be changed meanwhile: a session or token begins only if the account is as it was
 * verified, and before the next change.
 * @throws ApiError 401 `invalid_credentials`
 */
export async function requireUnchanged(tx: Tx, account: Account): Promise<void> {
  const same = await tx.query(
    `select 1 from accounts where id = $1 and password_hash = $2 and date_trunc('milliseconds', totp_enabled_at) is not distinct from $3 for share`,
    [account.id, account.passwordHash, account.totpEnabledAt],
  )
  // Under the lock: each change of passkeys waits for it.
  const passkeys = await tx.query<{ id: string }>('select id from passkeys where account_id = $1 order by id', [account.id])
  if (same.length === 0 || passkeys.map(({ id }) => id).join() !== account.passkeyIds.join()) throw wrongPassword()
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
  const standing = await ctx.limiter.count({ name: 'sign-in-recovery', of: account.id, max: 10, windowSeconds: 3600 })
  if (standing.over) throw tooManyRequests(standing)
}

async function verifySecondFactor(ctx: AccountsContext, account: Account, attempt: Attempt, guess: CountedGuess): Promise<Factor> {
  const factor = factorOf(attempt)
  if (factor === null) throw account.totpEnabledAt ? totpRequired() : passkeyRequired()
  await guess.countCode(account.id)
  await refuseStrangers(ctx, account, attempt, guess)
  const actor = actorOf(account, { address: attempt.origin.address, requestId: attempt.requestId })
  if (await takeSecondFactor(ctx, actor, account, attempt, { purpose: 'sign_in', signInId: null })) return factor
  if (factor === 'passkey') throw new ApiError(401, 'invalid_passkey', 'The answer of the passkey is wrong, came too late, or was used before')
  throw new ApiError(401, 'invalid_totp', 'The code is wrong, or it was used before')
}

const totpRequired = () => new ApiError(401, 'totp_required', 'Send the six digits of the authenticator as totp, or a recovery code as recoveryCode')
const passkeyRequired = () =>
  new ApiError(
    401,
    'passkey_required',
    'The second factor of this account is a passkey, which works in the dashboard only: send a recovery code as recoveryCode, or set up an authenticator in the dashboard and send its code as totp',
  )

/** Which second factor was given; null: no second factor. */
export function factorOf({ totp, recoveryCode, passkey }: GivenFactor): Factor | null {
  if (totp !== undefined) return 'totp'
  if (passkey !== undefined) return 'passkey'
  return recoveryCode === undefined ? null : 'recovery_code'
}

/** Takes a code of the authenticator, an answer of a passkey, or a recovery code; each counts once. */
export async function takeSecondFactor(
  ctx: Pick<AccountsContext, 'db' | 'appKey' | 'issuer'>,
  actor: Actor,
  account: Account,
  { totp, recoveryCode, passkey }: GivenFactor,
  use: PasskeyUse,
): Promise<boolean> {
  const { totpSealed } = account
  if (totp !== undefined)
    return totpSealed !== null && account.totpEnabledAt !== null && takeTotpCode(ctx, ctx.db, { id: account.id, totpSealed }, totp)
  if (passkey !== undefined) return takePasskey(ctx, actor, account.id, use, passkey)
  return recoveryCode !== undefined && takeRecoveryCode(ctx.db, account.id, recoveryCode)
}
