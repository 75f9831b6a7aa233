import type { Actor } from '../audit/recordAudit.ts'
import type { Tx } from '../platform/database/db.ts'
import { type ApiError, invalidBody } from '../platform/errors.ts'
import type { Factor } from './factor.ts'
import { type Account, getAccount, hasSecondFactor } from './findAccount.ts'
import { lockFactors } from './secondFactor.ts'
import { type AccountsContext, factorOf, type GivenFactor, takeSecondFactor } from './signIn.ts'
import { countGuess } from './signInLimits.ts'

/** A person who changes their own account, and the session. */
export interface Self {
  accountId: string
  signInId: string
  actor: Actor
}

/**
 * Requires the password again, under the limits of a sign-in: an open session alone does not prove the owner.
 * @throws ApiError 400 naming `field`; 429
 */
export async function confirmPassword(
  ctx: AccountsContext,
  self: Self,
  password: string,
  field = 'password',
): Promise<Account> {
  const account = await getAccount(ctx.db, self.accountId)
  const guess = await countGuess(ctx, guesserOf(self, account))
  const right = await ctx.passwords.verify(account.passwordHash, password, null).catch(async (error) => {
    await guess.giveBack()
    throw error
  })
  if (!right)
    throw wrongInSession(ctx, self, invalidBody({ field, message: 'is wrong', code: 'wrong_credential' }))
  await guess.giveBack()
  return account
}

/**
 * Checks the password, and the second factor if the account has one: a stolen session and password cannot
 * change second factors.
 * @throws ApiError 400 naming `password`, `totp`, `passkey` or `recoveryCode`; 429
 */
export async function confirmOwner(
  ctx: AccountsContext,
  self: Self,
  password: string,
  given: GivenFactor,
): Promise<Account> {
  const account = await confirmPassword(ctx, self, password)
  if (hasSecondFactor(account)) await confirmSecondFactor(ctx, self, account, given)
  return account
}

/** Takes a second factor again in a session. @throws ApiError 400 naming the factor's field; 429 */
export async function confirmSecondFactor(
  ctx: AccountsContext,
  self: Self,
  account: Account,
  given: GivenFactor,
): Promise<Factor> {
  const factor = factorOf(given)
  if (factor === null) throw factorRequired(account)
  const guess = await countGuess(ctx, guesserOf(self, account))
  await guess.countCode(account.id)
  const use = { purpose: 'confirm', signInId: self.signInId } as const
  if (!(await takeSecondFactor(ctx, self.actor, account, given, use)))
    throw wrongInSession(ctx, self, wrongCode(fieldOf[factor]))
  await guess.giveBack()
  return factor
}

/**
 * Locks the account of a confirmed owner. A confirmation without a second factor is refused if the account
 * has one by now.
 * @returns the account as read under the lock
 * @throws ApiError 400
 */
export async function lockConfirmed(tx: Tx, confirmed: Account): Promise<Account> {
  await lockFactors(tx, confirmed.id)
  const account = await getAccount(tx, confirmed.id)
  if (hasSecondFactor(account) && !hasSecondFactor(confirmed)) throw factorRequired(account)
  return account
}

const factorRequired = (account: Account): ApiError =>
  invalidBody({ field: account.totpEnabledAt ? 'totp' : 'passkey', message: 'is required', code: 'required' })
const fieldOf = { totp: 'totp', passkey: 'passkey', recovery_code: 'recoveryCode' } as const

export const guesserOf = (self: Self, account: Account) => ({
  email: account.email,
  address: self.actor.address ?? '',
  known: { accountId: account.id, device: `session ${self.signInId}` },
})

/** Logged like a failed sign-in: the session may have been found open by someone other than its owner. */
function wrongInSession<E extends Error>(ctx: AccountsContext, self: Self, error: E): E {
  const { address, requestId } = self.actor
  ctx.log.warn(
    { account: self.accountId, signIn: self.signInId, address, requestId, outcome: error.message },
    'wrong password or code in a session',
  )
  return error
}

export const wrongCode = (field: string): ApiError =>
  invalidBody({ field, message: 'is wrong, or was used before', code: 'wrong_credential' })
