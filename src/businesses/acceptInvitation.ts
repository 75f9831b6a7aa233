import type { Self } from '../accounts/confirmOwner.ts'
import { createAccount } from '../accounts/createAccount.ts'
import {
  type Account,
  findAccountByEmail,
  getAccount,
  hasSecondFactor,
  lockAccount,
} from '../accounts/findAccount.ts'
import { requireGoodPassword } from '../accounts/passwords.ts'
import { dropUnprovenMemberships, lockMemberships, proveAddress } from '../accounts/provenAddress.ts'
import { endSecondFactors } from '../accounts/secondFactor.ts'
import { type AccountsContext, actorOf } from '../accounts/signIn.ts'
import { revokeAllSignIns } from '../accounts/signIns.ts'
import { confirmActor, recordAudit } from '../audit/recordAudit.ts'
import {
  auditOfVoided,
  endLinksFor,
  findInvitation,
  type Invitation,
  useInvitation,
} from '../members/invitations.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import { roleIn } from '../members/role.ts'
import { sponsorByAccount, sponsorMember } from '../members/sponsors.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError, invalidBody, notFound } from '../platform/errors.ts'
import { requestOwner } from './members.ts'

export interface Acceptance {
  token: string
  /** Required for a new account. */
  name?: string
  password: string
}

/**
 * The account, and whether a second factor is still needed: a mailed reset keeps the second factor of a
 * proven account.
 */
export interface Accepted {
  account: Account
  needsSecondFactor: boolean
}

/**
 * Accepts an invitation by its link: creates an account, or sets a new password where the link is a reset.
 * @throws ApiError 400 naming a field; 404 for an invitation that is no longer valid; 409 `account_exists`
 */
export async function acceptInvitation(
  ctx: Pick<AccountsContext, 'db' | 'passwords'>,
  from: { address: string; requestId: string },
  wanted: Acceptance,
): Promise<Accepted> {
  const invitation = await findInvitation(ctx.db, wanted.token)
  if (invitation.purpose === 'prove')
    throw new ApiError(409, 'account_exists', 'Sign in, then open the link again')
  if (invitation.purpose !== 'reset' && invitation.hasAccount)
    throw new ApiError(
      409,
      'account_exists',
      'There is an account for this address: sign in, then open the link again',
    )
  if (invitation.purpose !== 'reset' && wanted.name === undefined)
    throw invalidBody({ field: 'name', message: 'is required', code: 'required' })
  requireGoodPassword(wanted.password, invitation.email)
  const hash = await ctx.passwords.hash(wanted.password)
  return ctx.db.tx(async (tx) => {
    await lockForOwner(tx, invitation)
    await useInvitation(tx, invitation.id)
    if (invitation.purpose === 'reset') return resetPassword(tx, invitation, hash, from)
    const { email, invitedById: invitedBy } = invitation
    const account = await createAccount(tx, { email, name: wanted.name ?? '', passwordHash: hash, invitedBy })
    await recordAudit(tx, actorOf(account, from), {
      businessId: null,
      action: 'account.created',
      target: account.id,
      after: { email: account.email },
    })
    if (invitation.isMailed) await proveAddress(tx, account.id)
    await take(tx, invitation, account, from)
    return { account, needsSecondFactor: false }
  })
}

/**
 * Accepts an invitation with the account that is signed in; a mailed one also proves the account's address.
 * @throws ApiError 404, also when it is for another address; 409 `already_member`
 */
export async function joinByInvitation(ctx: { db: Db }, self: Self, token: string): Promise<void> {
  const invitation = await findInvitation(ctx.db, token)
  await ctx.db.tx(async (tx) => {
    const account = await getAccount(tx, self.accountId)
    if (account.email !== invitation.email || invitation.purpose === 'reset') throw notFound('invitation')
    await lockForOwner(tx, invitation)
    await useInvitation(tx, invitation.id)
    await lockAccount(tx, account.id)
    await confirmActor(tx, self.actor)
    if (invitation.isMailed && (await proveAddress(tx, account.id)))
      await recordAudit(tx, self.actor, {
        businessId: null,
        action: 'account.address_proven',
        target: account.id,
        after: { email: account.email },
      })
    if (invitation.purpose === 'prove') return
    await take(tx, invitation, account, {
      address: self.actor.address ?? '',
      requestId: self.actor.requestId ?? '',
    })
  })
}

/**
 * Locks the business before an owner joins, so that the number of owners, and with it the need for a second
 * approval, cannot change meanwhile.
 */
async function lockForOwner(tx: Tx, { businessId, role }: Invitation): Promise<void> {
  if (businessId !== null && role === 'owner') await lockBusiness(tx, businessId)
}

/**
 * Grants what an invitation is for. A new owner who still needs a second owner's approval joins as a viewer.
 */
async function take(
  tx: Tx,
  invitation: Invitation,
  account: Account,
  from: { address: string; requestId: string },
): Promise<void> {
  const actor = actorOf(account, from)
  const { businessId, role } = invitation
  if (businessId === null || role === null) {
    await tx.query('update accounts set operator = true where id = $1', [account.id])
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'operator.joined',
      target: account.id,
      after: { email: account.email },
    })
    return
  }
  if (await roleIn(tx, businessId, account.id))
    throw new ApiError(409, 'already_member', 'This account is already a member of the business')
  const approval =
    role === 'owner'
      ? await requestOwner(tx, actor, {
          businessId,
          accountId: account.id,
          email: account.email,
          askedBy: invitation.invitedById,
        })
      : null
  const given = approval ? 'viewer' : role
  await tx.query('insert into members (business_id, account_id, role) values ($1, $2, $3)', [
    businessId,
    account.id,
    given,
  ])
  await sponsorMember(tx, businessId, account.id, invitation.invitedById)
  await sponsorByAccount(tx, businessId, account.id)
  await recordAudit(tx, actor, {
    businessId,
    action: 'member.joined',
    target: account.id,
    after: { email: account.email, role: given },
  })
}

/**
 * Sets a new password. An account with an unproven address loses everything that someone other than its owner
 * may have added: memberships, the second factor and, in a mailed reset, the operator role. A mailed reset
 * never removes the second factor of a proven account.
 */
async function resetPassword(
  tx: Tx,
  invitation: Invitation,
  hash: string,
  from: { address: string; requestId: string },
): Promise<Accepted> {
  const voided = await endLinksFor(tx, invitation.email, 'reset', 'prove')
  // Lock order of docs/architecture.md. A concurrent join either commits first or finds its session ended.
  await lockMemberships(tx, invitation.email)
  await tx.query('select 1 from accounts where email = $1 for update', [invitation.email])
  const account = await findAccountByEmail(tx, invitation.email)
  // Others may read the mailbox: only a link handed over by the operator unlocks the account.
  if (!account || (invitation.isMailed && account.lockedAt)) throw notFound('invitation')
  const actor = actorOf(account, from)
  await tx.query('update accounts set password_hash = $2, locked_at = null where id = $1', [account.id, hash])
  const isProven = account.emailProvenAt !== null
  const keepsFactor = invitation.isMailed && isProven && hasSecondFactor(account)
  if (!keepsFactor) await endSecondFactors(tx, account.id)
  if (!isProven) await dropUnprovenMemberships(tx, actor, account, invitation.keeps)
  if (!isProven && invitation.isMailed && account.operator) {
    await tx.query('update accounts set operator = false where id = $1', [account.id])
    const after = { reason: 'address_not_proven' }
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'operator.removed',
      target: account.id,
      before: { email: account.email },
      after,
    })
  }
  if (invitation.isMailed) await proveAddress(tx, account.id)
  const ended = await revokeAllSignIns(tx, actor, account.id)
  const passkeysRemoved = account.passkeyIds.length
  const lost = keepsFactor ? {} : { totp: false, ...(passkeysRemoved > 0 && { passkeysRemoved }) }
  await recordAudit(tx, actor, {
    businessId: null,
    action: 'account.password_reset',
    target: account.id,
    after: { signInsEnded: ended, ...lost, ...auditOfVoided(voided) },
  })
  return { account: await getAccount(tx, account.id), needsSecondFactor: keepsFactor }
}
