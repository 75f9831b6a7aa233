import { type Actor, confirmActor, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Queryable } from '../platform/db.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import { type Account, getAccount } from './findAccount.ts'
import { endLinksFor, tellVoided } from './invitations.ts'
import { requireGoodPassword } from './passwords.ts'
import { forgetFactors, noteFactor } from './secondFactor.ts'
import { type AccountsContext, requireUnchanged, takeSecondFactor } from './signIn.ts'
import { countGuess } from './signInLimits.ts'
import { revokeAllSignIns } from './signIns.ts'
import { generateRecoveryCodes, generateTotpSecret, sealTotpSecret, storeRecoveryCodes, takeTotpCode, totpUri } from './totp.ts'

/** Who changes their own account, and in which session. */
export interface Self {
  accountId: string
  signInId: string
  actor: Actor
}

/** Changes the own name. */
export async function renameAccount(ctx: { db: Db }, self: Self, name: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const before = await getAccount(tx, self.accountId)
    await tx.query('update accounts set name = $2 where id = $1', [self.accountId, name.trim()])
    await audit(tx, self, 'account.renamed', { before: { name: before.name }, after: { name: name.trim() } })
  })
}

/**
 * Sets another password. Every other session, every access token of the account and every open link that sets a password for it ends.
 * @throws ApiError 400 naming `currentPassword` or `newPassword`; 429
 */
export async function changePassword(ctx: AccountsContext, self: Self, current: string, next: string): Promise<void> {
  const account = await verifyOwner(ctx, self, current, 'currentPassword')
  requireGoodPassword(next, account.email, 'newPassword')
  const hash = await ctx.passwords.hash(next)
  await ctx.db.tx(async (tx) => {
    const voided = await endLinksFor(tx, account.email, 'reset')
    await requireUnchanged(tx, account)
    await tx.query('update accounts set password_hash = $2 where id = $1', [account.id, hash])
    const ended = await revokeAllSignIns(tx, self.actor, account.id, self.signInId)
    await audit(tx, self, 'account.password_changed', { after: { signInsEnded: ended, ...tellVoided(voided) } })
  })
}

/**
 * Makes a secret for an authenticator. It counts for nothing until a code of it was given.
 * @throws ApiError 400 naming `password`; 409 `totp_enabled`; 429
 */
export async function beginTotp(ctx: AccountsContext, self: Self, password: string): Promise<{ secret: Secret; uri: string }> {
  const account = await verifyOwner(ctx, self, password)
  if (account.totpEnabledAt) throw alreadyOn()
  const secret = generateTotpSecret()
  await ctx.db.tx(async (tx) => {
    await confirmActor(tx, self.actor)
    await tx.query('update accounts set totp_sealed = $2 where id = $1 and totp_enabled_at is null', [
      account.id,
      sealTotpSecret(ctx.appKey, account.id, secret),
    ])
  })
  return { secret, uri: totpUri(secret, account.email) }
}

/**
 * Switches the second factor on by a first code, which shows that the authenticator has the secret.
 * @returns the recovery codes: the only copy there will ever be
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
    await tx.query('select 1 from accounts where id = $1 for update', [account.id])
    if (!(await takeTotpCode(ctx, tx, { id: account.id, totpSealed }, code))) throw wrongCode('totp')
    const on = await tx.query(
      'update accounts set totp_enabled_at = now() where id = $1 and totp_enabled_at is null and totp_sealed = $2 returning id',
      [account.id, totpSealed],
    )
    if (on.length === 0) throw alreadyOn()
    await storeRecoveryCodes(tx, account.id, recoveryCodes)
    await noteFactor(tx, self.signInId, 'totp')
    await audit(tx, self, 'account.totp_enabled', {})
  })
  await guess.giveBack()
  return recoveryCodes
}

/**
 * Switches the second factor off; its recovery codes go with it.
 * @throws ApiError 400 naming `password`, `totp` or `recoveryCode`; 409 `totp_not_enabled`; 429
 */
export async function disableTotp(
  ctx: AccountsContext,
  self: Self,
  password: string,
  given: { totp?: string; recoveryCode?: string },
): Promise<void> {
  const account = await verifyBoth(ctx, self, password, given)
  await ctx.db.tx(async (tx) => {
    await switchTotpOff(tx, account.id)
    await audit(tx, self, 'account.totp_disabled', {})
  })
}

/** Makes ten new recovery codes; the old ones are void. @throws as `disableTotp` */
export async function renewRecoveryCodes(ctx: AccountsContext, self: Self, password: string, totp: string): Promise<string[]> {
  const account = await verifyBoth(ctx, self, password, { totp })
  const recoveryCodes = generateRecoveryCodes()
  await ctx.db.tx(async (tx) => {
    await storeRecoveryCodes(tx, account.id, recoveryCodes)
    await audit(tx, self, 'account.recovery_codes_renewed', {})
  })
  return recoveryCodes
}

/** Ends every session and every access token of the account, that of the caller, too. */
export async function signOutEverywhere(ctx: { db: Db }, self: Self): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const ended = await revokeAllSignIns(tx, self.actor, self.accountId)
    await audit(tx, self, 'account.signed_out_everywhere', { after: { signInsEnded: ended } })
  })
}

/** Takes the second factor from an account. */
export async function switchTotpOff(db: Queryable, accountId: string): Promise<void> {
  await db.query('update accounts set totp_enabled_at = null, totp_sealed = null where id = $1', [accountId])
  await db.query('delete from recovery_codes where account_id = $1', [accountId])
  await forgetFactors(db, accountId)
}

/** A session that was left open is not its owner: what matters asks for the password again, under the limits of a sign-in. */
async function verifyOwner(ctx: AccountsContext, self: Self, password: string, field = 'password'): Promise<Account> {
  const account = await getAccount(ctx.db, self.accountId)
  const guess = await countGuess(ctx, guesserOf(self, account))
  const right = await ctx.passwords.verify(account.passwordHash, password, null).catch(async (error) => {
    await guess.giveBack()
    throw error
  })
  if (!right) throw wrongInSession(ctx, self, invalidBody({ field, message: 'is wrong' }))
  await guess.giveBack()
  return account
}

async function verifyBoth(ctx: AccountsContext, self: Self, password: string, given: { totp?: string; recoveryCode?: string }): Promise<Account> {
  const account = await verifyOwner(ctx, self, password)
  if (!account.totpEnabledAt) throw new ApiError(409, 'totp_not_enabled', 'This account has no second factor')
  if (given.totp === undefined && given.recoveryCode === undefined) throw invalidBody({ field: 'totp', message: 'is required' })
  const field = given.totp === undefined ? 'recoveryCode' : 'totp'
  const guess = await countGuess(ctx, guesserOf(self, account))
  await guess.countCode(account.id)
  if (!(await takeSecondFactor(ctx, account, given))) throw wrongInSession(ctx, self, wrongCode(field))
  await guess.giveBack()
  return account
}

const guesserOf = (self: Self, account: Account) => ({
  email: account.email,
  address: self.actor.address ?? '',
  known: { accountId: account.id, device: `session ${self.signInId}` },
})

/** Told to the operator as a wrong sign-in is: somebody may have found a session that was left open. */
function wrongInSession<E extends Error>(ctx: AccountsContext, self: Self, error: E): E {
  const { address, requestId } = self.actor
  ctx.log.warn(
    { account: self.accountId, signIn: self.signInId, address, requestId, outcome: error.message },
    'a wrong password or code in a session',
  )
  return error
}

const wrongCode = (field: string) => invalidBody({ field, message: 'is wrong, or was used before' })
const alreadyOn = () => new ApiError(409, 'totp_enabled', 'The second factor is on already')

const audit = (db: Parameters<typeof recordAudit>[0], self: Self, action: string, change: { before?: object; after?: object }) =>
  recordAudit(db, self.actor, { businessId: null, action, target: self.accountId, ...change })
