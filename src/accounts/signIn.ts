import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { normalEmail } from '../mail/normalEmail.ts'
import { networkOf } from '../platform/addresses.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { RateLimiter } from '../rateLimits/rateLimiter.ts'
import { tooManyRequests } from '../rateLimits/tooManyRequests.ts'
import { knownDevice } from './deviceCookie.ts'
import type { Factor } from './factor.ts'
import { type Account, accountColumns, hasSecondFactor } from './findAccount.ts'
import type { PasskeyUse } from './passkeyChallenges.ts'
import { type RequestOptions, requestOptions } from './passkeyOptions.ts'
import type { Passwords } from './passwords.ts'
import { type CountedGuess, countGuess } from './signInLimits.ts'
import { knownThereSql, type Origin } from './signIns.ts'
import { isRecoveryCode, takeRecoveryCode, takeTotpCode } from './totp.ts'
import { type PasskeyAnswer, takePasskey } from './verifyPasskey.ts'

export interface AccountsContext {
  db: Db
  log: Log
  appKey: Secret
  limiter: RateLimiter
  passwords: Passwords
  /** The deployment's URL: passkeys are bound to it. */
  issuer: string
}

/** A second factor as a caller gives it: at most one of these. */
export interface GivenFactor {
  totp?: string
  recoveryCode?: string
  passkey?: PasskeyAnswer
}

export interface Attempt extends GivenFactor {
  email: string
  password: string
  origin: Origin
  /** The device cookie, if there is one. */
  device: string | null
  requestId: string
}

/** The account, and the second factor that was used; null where the account has no second factor. */
export interface Verified {
  account: Account
  factor: Factor | null
}

/**
 * Writes to the audit log that a session or token starts, with its second factor, such as a spent recovery
 * code.
 */
export const recordSignIn = (
  db: Queryable,
  actor: Actor,
  kind: 'dashboard' | 'token',
  factor: Verified['factor'],
): Promise<void> =>
  recordAudit(db, actor, {
    businessId: null,
    action: 'account.signed_in',
    target: actor.id,
    after: { kind, ...(factor && { factor }) },
  })

export const actorOf = (
  account: Pick<Account, 'id' | 'email'>,
  from: { address: string; requestId: string },
): Actor => ({
  kind: 'account',
  id: account.id,
  label: account.email,
  address: from.address,
  requestId: from.requestId,
})

const wrongPassword = () =>
  new ApiError(401, 'invalid_credentials', 'The email address or the password is wrong')

/**
 * Verifies a sign-in: the password, then the second factor if the account has one. The session or token that
 * follows calls `requireUnchanged`.
 * @throws ApiError 401 `invalid_credentials`, `totp_required`, `passkey_required`, `invalid_totp`,
 * `invalid_passkey`; 429; 503
 */
export const verifySignIn = (ctx: AccountsContext, attempt: Attempt): Promise<Verified> =>
  afterPassword(ctx, attempt, async (account, guess) => ({
    account,
    factor: hasSecondFactor(account) ? await verifySecondFactor(ctx, account, attempt, guess) : null,
  }))

/**
 * Creates a challenge for the account's passkeys, after its password.
 * @returns null where it has no passkey
 * @throws ApiError 401 `invalid_credentials`; 429; 503
 */
export const beginPasskeySignIn = (ctx: AccountsContext, attempt: Attempt): Promise<RequestOptions | null> =>
  afterPassword(ctx, attempt, async ({ id, passkeyIds }) =>
    passkeyIds.length === 0
      ? null
      : requestOptions(ctx.db, ctx.issuer, id, { purpose: 'sign_in', signInId: null }),
  )

/** Limits first, then exactly one password verification (also without an account), then `next`. */
async function afterPassword<T>(
  ctx: AccountsContext,
  attempt: Attempt,
  next: (account: Account, guess: CountedGuess) => Promise<T>,
): Promise<T> {
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
    await refuseUnknownDevices(ctx, account, attempt, guess)
    if (
      !(await ctx.passwords.verify(account?.passwordHash ?? null, attempt.password, known ? null : email)) ||
      !account
    )
      throw wrongPassword()
    outcome = await next(account, guess)
  } catch (error) {
    const said = error instanceof ApiError ? error.error : 'failed'
    if (failures.has(said)) {
      // Not the typed address: people type passwords there.
      const { origin, requestId } = attempt
      ctx.log.warn(
        { account: account?.id ?? null, address: origin.address, requestId, outcome: said },
        'sign-in failed',
      )
    } else if (!(error instanceof ApiError) || error.status !== 429) await guess.giveBack()
    throw error
  }
  await guess.giveBack()
  return outcome
}

/** Outcomes that count against the limits. */
const failures = new Set(['invalid_credentials', 'invalid_totp', 'invalid_passkey'])

/**
 * Verification takes time, and a password or second factor may change meanwhile: a session or token starts
 * only if the account is still as verified, and before its next change.
 * @throws ApiError 401 `invalid_credentials`
 */
export async function requireUnchanged(tx: Tx, account: Account): Promise<void> {
  const same = await tx.query(
    `select 1 from accounts where id = $1 and password_hash = $2 and date_trunc('milliseconds', totp_enabled_at) is not distinct from $3 for share`,
    [account.id, account.passwordHash, account.totpEnabledAt],
  )
  // Under the lock: changes of passkeys wait for it.
  const passkeys = await tx.query<{ id: string }>(
    'select id from passkeys where account_id = $1 order by id',
    [account.id],
  )
  if (same.length === 0 || passkeys.map(({ id }) => id).join() !== account.passkeyIds.join())
    throw wrongPassword()
}

/**
 * Refuses unknown devices while their shared limit is used up. An owner with a new browser on a new network
 * gets in with a recovery code, which cannot be guessed.
 * @throws ApiError 429
 */
async function refuseUnknownDevices(
  ctx: AccountsContext,
  account: Account | undefined,
  attempt: Attempt,
  guess: CountedGuess,
): Promise<void> {
  const over = guess.lockedForUnknownDevices()
  if (!over) return
  const noAccountId = '00000000-0000-0000-0000-000000000000'
  const isOwner =
    attempt.recoveryCode !== undefined &&
    (await isRecoveryCode(ctx, account?.id ?? noAccountId, attempt.recoveryCode))
  if (!isOwner || !account) throw tooManyRequests(over)
  // A found recovery code must not allow unlimited guesses at the password.
  const standing = await ctx.limiter.count({
    name: 'sign-in-recovery',
    of: account.id,
    max: 10,
    windowSeconds: 3600,
  })
  if (standing.over) throw tooManyRequests(standing)
}

async function verifySecondFactor(
  ctx: AccountsContext,
  account: Account,
  attempt: Attempt,
  guess: CountedGuess,
): Promise<Factor> {
  const factor = factorOf(attempt)
  if (factor === null) throw account.totpEnabledAt ? totpRequired() : passkeyRequired()
  await guess.countCode(account.id)
  await refuseUnknownDevices(ctx, account, attempt, guess)
  const actor = actorOf(account, { address: attempt.origin.address, requestId: attempt.requestId })
  if (await takeSecondFactor(ctx, actor, account, attempt, { purpose: 'sign_in', signInId: null }))
    return factor
  if (factor === 'passkey')
    throw new ApiError(
      401,
      'invalid_passkey',
      "The passkey's answer is wrong, came too late or was used before",
    )
  throw new ApiError(401, 'invalid_totp', 'The code is wrong, or it was used before')
}

const totpRequired = () =>
  new ApiError(
    401,
    'totp_required',
    'Send the six digits of the authenticator as totp, or a recovery code as recoveryCode',
  )
const passkeyRequired = () =>
  new ApiError(
    401,
    'passkey_required',
    'The second factor of this account is a passkey, which works in the dashboard only: send a recovery code as recoveryCode, or set up an authenticator in the dashboard and send its code as totp',
  )

/** @returns the kind of second factor that was given; null: no second factor */
export function factorOf({ totp, recoveryCode, passkey }: GivenFactor): Factor | null {
  if (totp !== undefined) return 'totp'
  if (passkey !== undefined) return 'passkey'
  return recoveryCode === undefined ? null : 'recovery_code'
}

/** Takes a code of the authenticator, an answer of a passkey or a recovery code; each counts once. */
export async function takeSecondFactor(
  ctx: Pick<AccountsContext, 'db' | 'appKey' | 'issuer'>,
  actor: Actor,
  account: Account,
  { totp, recoveryCode, passkey }: GivenFactor,
  use: PasskeyUse,
): Promise<boolean> {
  const { totpSealed } = account
  if (totp !== undefined)
    return (
      totpSealed !== null &&
      account.totpEnabledAt !== null &&
      takeTotpCode(ctx, ctx.db, { id: account.id, totpSealed }, totp)
    )
  if (passkey !== undefined) return takePasskey(ctx, actor, account.id, use, passkey)
  return recoveryCode !== undefined && takeRecoveryCode(ctx.db, account.id, recoveryCode)
}
