import { confirmActor, recordAudit } from '../audit/recordAudit.ts'
import { auditOfVoided, endLinksFor } from '../members/invitations.ts'
import type { Db } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import {
  confirmOwner,
  confirmPassword,
  guesserOf,
  lockConfirmed,
  type Self,
  wrongCode,
} from './confirmOwner.ts'
import { getAccount, hasSecondFactor, lockAccount } from './findAccount.ts'
import { endRegistrations } from './passkeyChallenges.ts'
import { requireGoodPassword } from './passwords.ts'
import { endWithLastFactor, lockFactors, noteFactor } from './secondFactor.ts'
import { type AccountsContext, type GivenFactor, requireUnchanged } from './signIn.ts'
import { countGuess } from './signInLimits.ts'
import { revokeAllSignIns } from './signIns.ts'
import {
  generateRecoveryCodes,
  generateTotpSecret,
  sealTotpSecret,
  storeRecoveryCodes,
  takeTotpCode,
  totpUri,
} from './totp.ts'

/** Changes the account's name. */
export async function renameAccount(ctx: { db: Db }, self: Self, name: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const before = await getAccount(tx, self.accountId)
    await tx.query('update accounts set name = $2 where id = $1', [self.accountId, name.trim()])
    await audit(tx, self, 'account.renamed', { before: { name: before.name }, after: { name: name.trim() } })
  })
}

/**
 * Sets a new password. Ends every other session, every access token of the account and every open reset link.
 * @throws ApiError 400 naming `currentPassword` or `newPassword`; 429
 */
export async function changePassword(
  ctx: AccountsContext,
  self: Self,
  current: string,
  next: string,
): Promise<void> {
  const account = await confirmPassword(ctx, self, current, 'currentPassword')
  requireGoodPassword(next, account.email, 'newPassword')
  const hash = await ctx.passwords.hash(next)
  await ctx.db.tx(async (tx) => {
    const voided = await endLinksFor(tx, account.email, 'reset')
    await lockAccount(tx, account.id)
    await requireUnchanged(tx, account)
    await tx.query('update accounts set password_hash = $2 where id = $1', [account.id, hash])
    const ended = await revokeAllSignIns(tx, self.actor, account.id, self.signInId)
    await audit(tx, self, 'account.password_changed', {
      after: { signInsEnded: ended, ...auditOfVoided(voided) },
    })
  })
}

/**
 * Creates a secret for an authenticator. It takes effect once a code confirms it.
 * @throws ApiError as `confirmOwner`; 409 `totp_enabled`
 */
export async function beginTotp(
  ctx: AccountsContext,
  self: Self,
  password: string,
  given: GivenFactor = {},
): Promise<{ secret: Secret; uri: string }> {
  if ((await getAccount(ctx.db, self.accountId)).totpEnabledAt) throw alreadyOn()
  const account = await confirmOwner(ctx, self, password, given)
  const secret = generateTotpSecret()
  await ctx.db.tx(async (tx) => {
    await lockConfirmed(tx, account)
    await confirmActor(tx, self.actor)
    await tx.query('update accounts set totp_sealed = $2 where id = $1 and totp_enabled_at is null', [
      account.id,
      sealTotpSecret(ctx.appKey, account.id, secret),
    ])
  })
  return { secret, uri: totpUri(secret, account.email) }
}

/**
 * Enables the second factor after a first code, which proves that the authenticator has the secret. The first
 * one ends the account's other sessions and tokens, which started without it.
 * @returns the recovery codes: the only copy
 * @throws ApiError 400 naming `totp`; 409 `totp_enabled`, `totp_not_begun`; 429
 */
export async function enableTotp(ctx: AccountsContext, self: Self, code: string): Promise<string[]> {
  const account = await getAccount(ctx.db, self.accountId)
  if (account.totpEnabledAt) throw alreadyOn()
  const { totpSealed } = account
  if (!totpSealed) throw new ApiError(409, 'totp_not_begun', 'Begin to set up an authenticator first')
  const guess = await countGuess(ctx, guesserOf(self, account))
  const recoveryCodes = generateRecoveryCodes()
  await ctx.db.tx(async (tx) => {
    await lockFactors(tx, account.id)
    if (!(await takeTotpCode(ctx, tx, { id: account.id, totpSealed }, code))) throw wrongCode('totp')
    const on = await tx.query(
      'update accounts set totp_enabled_at = now() where id = $1 and totp_enabled_at is null and totp_sealed = $2 returning id',
      [account.id, totpSealed],
    )
    if (on.length === 0) throw alreadyOn()
    await endRegistrations(tx, account.id)
    await storeRecoveryCodes(tx, account.id, recoveryCodes)
    await noteFactor(tx, self.signInId, 'totp')
    const ended = hasSecondFactor(account)
      ? 0
      : await revokeAllSignIns(tx, self.actor, account.id, self.signInId)
    await audit(tx, self, 'account.totp_enabled', ended > 0 ? { after: { signInsEnded: ended } } : {})
  })
  await guess.giveBack()
  return recoveryCodes
}

/**
 * Disables the authenticator. With the last second factor, the recovery codes are deleted.
 * @throws ApiError as `confirmOwner`; 409 `totp_not_enabled`
 */
export async function disableTotp(
  ctx: AccountsContext,
  self: Self,
  password: string,
  given: GivenFactor,
): Promise<void> {
  const account = await confirmOwner(ctx, self, password, given)
  if (!account.totpEnabledAt) throw new ApiError(409, 'totp_not_enabled', 'This account has no authenticator')
  await ctx.db.tx(async (tx) => {
    await lockFactors(tx, account.id)
    await tx.query('update accounts set totp_enabled_at = null, totp_sealed = null where id = $1', [
      account.id,
    ])
    await endWithLastFactor(tx, account.id)
    await audit(tx, self, 'account.totp_disabled', {})
  })
}

/**
 * Creates ten new recovery codes and voids the old ones.
 * @throws ApiError as `confirmOwner`; 409 `totp_not_enabled`: there is no second factor
 */
export async function renewRecoveryCodes(
  ctx: AccountsContext,
  self: Self,
  password: string,
  given: Pick<GivenFactor, 'totp' | 'passkey'>,
): Promise<string[]> {
  const account = await confirmOwner(ctx, self, password, given)
  if (!hasSecondFactor(account)) throw noFactor()
  const recoveryCodes = generateRecoveryCodes()
  await ctx.db.tx(async (tx) => {
    if (!hasSecondFactor(await lockConfirmed(tx, account))) throw noFactor()
    await storeRecoveryCodes(tx, account.id, recoveryCodes)
    await audit(tx, self, 'account.recovery_codes_renewed', {})
  })
  return recoveryCodes
}

/** Ends every session and access token of the account, including the caller's. */
export async function signOutEverywhere(ctx: { db: Db }, self: Self): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const ended = await revokeAllSignIns(tx, self.actor, self.accountId)
    await audit(tx, self, 'account.signed_out_everywhere', { after: { signInsEnded: ended } })
  })
}

const noFactor = () => new ApiError(409, 'totp_not_enabled', 'This account has no second factor')
const alreadyOn = () => new ApiError(409, 'totp_enabled', 'The authenticator is already enabled')

const audit = (
  db: Parameters<typeof recordAudit>[0],
  self: Self,
  action: string,
  change: { before?: object; after?: object },
) => recordAudit(db, self.actor, { businessId: null, action, target: self.accountId, ...change })
