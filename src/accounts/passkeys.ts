import { confirmActor, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { ApiError, invalidBody, notFound } from '../platform/errors.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { confirmOwner, lockConfirmed, type Self } from './confirmOwner.ts'
import { getAccount, hasSecondFactor } from './findAccount.ts'
import { endRegistrations } from './passkeyChallenges.ts'
import {
  type CreationOptions,
  creationOptions,
  type RequestOptions,
  requestOptions,
} from './passkeyOptions.ts'
import { endWithLastFactor, lockFactors, noteFactor } from './secondFactor.ts'
import type { AccountsContext, GivenFactor } from './signIn.ts'
import { revokeAllSignIns } from './signIns.ts'
import { generateRecoveryCodes, storeRecoveryCodes } from './totp.ts'
import { type NewPasskey, verifyNewPasskey } from './verifyPasskey.ts'

export interface PasskeyView {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

const maxPasskeys = 20

/** The passkeys of an account, oldest first. */
export async function listPasskeys(db: Queryable, accountId: string): Promise<PasskeyView[]> {
  const rows = await db.query<{ id: string; name: string; createdAt: Date; lastUsedAt: Date | null }>(
    'select id, name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys where account_id = $1 order by id',
    [accountId],
  )
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }))
}

/**
 * Starts to create a passkey, after the owner confirmed the password and the second factor, if there is one.
 * @throws ApiError as `confirmOwner`; 409 `too_many_passkeys`
 */
export async function beginPasskey(
  ctx: AccountsContext,
  self: Self,
  password: string,
  given: GivenFactor,
): Promise<CreationOptions> {
  const account = await confirmOwner(ctx, self, password, given)
  if (account.passkeyIds.length >= maxPasskeys) throw tooMany()
  return ctx.db.tx(async (tx) => {
    await lockConfirmed(tx, account)
    await confirmActor(tx, self.actor)
    return creationOptions(tx, ctx.issuer, account, self.signInId)
  })
}

/**
 * Adds a passkey that an authenticator has created. The session then counts as confirmed by a second factor.
 * The first one ends the account's other sessions and tokens, which started without it.
 * @returns it, and the recovery codes where it is the account's first second factor: the only copy
 * @throws ApiError 400 naming `passkey`; 409 `passkey_known`, `too_many_passkeys`
 */
export async function addPasskey(
  ctx: AccountsContext,
  self: Self,
  name: string,
  made: NewPasskey,
): Promise<{ passkey: PasskeyView; recoveryCodes: string[] | null }> {
  const confirmed = await getAccount(ctx.db, self.accountId)
  const verified = await verifyNewPasskey(
    ctx,
    self.accountId,
    { purpose: 'register', signInId: self.signInId },
    made,
  )
  if (!verified)
    throw invalidBody({
      field: 'passkey',
      message: 'is not an answer to the last challenge, or came too late: begin again',
      code: 'wrong_credential',
    })
  const id = newId()
  const { credentialId, publicKey, counter } = verified
  return ctx.db.tx(async (tx) => {
    const before = await lockConfirmed(tx, confirmed)
    if (before.passkeyIds.length >= maxPasskeys) throw tooMany()
    const added = await tx.query(
      `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning id`,
      [id, self.accountId, credentialId, publicKey, counter, [...new Set(made.transports)], name.trim()],
    )
    if (added.length === 0) throw new ApiError(409, 'passkey_known', 'This passkey is already registered')
    // Registrations started without this second factor must not add another one.
    await endRegistrations(tx, self.accountId)
    await tx.query('update accounts set totp_sealed = null where id = $1 and totp_enabled_at is null', [
      self.accountId,
    ])
    const codes = hasSecondFactor(before) ? null : generateRecoveryCodes()
    if (codes) await storeRecoveryCodes(tx, self.accountId, codes)
    await noteFactor(tx, self.signInId, 'passkey')
    const ended = hasSecondFactor(before)
      ? 0
      : await revokeAllSignIns(tx, self.actor, self.accountId, self.signInId)
    const after = { name: name.trim(), ...(ended > 0 && { signInsEnded: ended }) }
    await recordAudit(tx, self.actor, {
      businessId: null,
      action: 'account.passkey_added',
      target: id,
      after,
    })
    // Read before the commit: a failure after it would lose the codes, which are shown once.
    return { passkey: await getPasskey(tx, self.accountId, id), recoveryCodes: codes }
  })
}

/**
 * Requests a confirmation by the account's passkeys of a change in a session. @throws ApiError 409
 * `no_passkey`
 */
export async function beginPasskeyConfirmation(ctx: AccountsContext, self: Self): Promise<RequestOptions> {
  const { id, passkeyIds } = await getAccount(ctx.db, self.accountId)
  if (passkeyIds.length === 0) throw new ApiError(409, 'no_passkey', 'This account has no passkey')
  return ctx.db.tx(async (tx) => {
    await confirmActor(tx, self.actor)
    return requestOptions(tx, ctx.issuer, id, { purpose: 'confirm', signInId: self.signInId })
  })
}

/** @throws ApiError 404 */
export async function renamePasskey(
  ctx: { db: Db },
  self: Self,
  id: string,
  name: string,
): Promise<PasskeyView> {
  return ctx.db.tx(async (tx) => {
    await lockFactors(tx, self.accountId)
    const [before] = isUuid(id)
      ? await tx.query<{ name: string }>('select name from passkeys where id = $1 and account_id = $2', [
          id,
          self.accountId,
        ])
      : []
    if (!before) throw notFound('passkey')
    await tx.query('update passkeys set name = $2 where id = $1', [id, name.trim()])
    const change = { before: { name: before.name }, after: { name: name.trim() } }
    await recordAudit(tx, self.actor, {
      businessId: null,
      action: 'account.passkey_renamed',
      target: id,
      ...change,
    })
    return getPasskey(tx, self.accountId, id)
  })
}

/**
 * Removes a passkey. With the last second factor, the recovery codes are deleted.
 * @throws ApiError as `confirmOwner`; 404
 */
export async function removePasskey(
  ctx: AccountsContext,
  self: Self,
  id: string,
  password: string,
  given: GivenFactor,
): Promise<void> {
  const account = await confirmOwner(ctx, self, password, given)
  await ctx.db.tx(async (tx) => {
    await lockConfirmed(tx, account)
    const [removed] = isUuid(id)
      ? await tx.query<{ name: string }>(
          'delete from passkeys where id = $1 and account_id = $2 returning name',
          [id, account.id],
        )
      : []
    if (!removed) throw notFound('passkey')
    await endWithLastFactor(tx, account.id)
    await recordAudit(tx, self.actor, {
      businessId: null,
      action: 'account.passkey_removed',
      target: id,
      before: { name: removed.name },
    })
  })
}

async function getPasskey(db: Queryable, accountId: string, id: string): Promise<PasskeyView> {
  const passkey = (await listPasskeys(db, accountId)).find((each) => each.id === id)
  if (!passkey) throw notFound('passkey')
  return passkey
}

const tooMany = () =>
  new ApiError(409, 'too_many_passkeys', `An account has at most ${maxPasskeys} passkeys: remove one first`)
