import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertMember } from '../../test/support/madeBusiness.ts'
import { createAccount } from '../accounts/createAccount.ts'
import { findAccountByEmail, getAccount } from '../accounts/findAccount.ts'
import { createPasswords, type Passwords } from '../accounts/passwords.ts'
import { findSession, startSession } from '../accounts/signIns.ts'
import { generateRecoveryCodes, storeRecoveryCodes } from '../accounts/totp.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { findInvitation, inviteMember, makeInvitation, revokeInvitation } from '../members/invitations.ts'
import { roleIn } from '../members/role.ts'
import { newId } from '../platform/ids.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { acceptInvitation, joinByInvitation } from './acceptInvitation.ts'
import { createBusiness } from './manageBusiness.ts'
import { listMembers } from './members.ts'

const actor = systemActor('test')
const from = { address: '203.0.113.5', requestId: 'r' }
const password = 'seven-lanterns-in-a-row'
let database: TestDatabase
let ctx: { db: TestDatabase['db']; passwords: Passwords }
let businessId: string

beforeAll(async () => {
  database = await createTestDatabase(20)
  ctx = { db: database.db, passwords: createPasswords(createMetrics('invitations')) }
  businessId = (await createBusiness(database, actor, (await person()).id, { name: 'B' })).id
})
afterAll(() => database?.drop())

const person = (email = `${newId()}@example.com`) =>
  createAccount(database.db, { email, name: 'P', passwordHash: 'none' })
const invite = async (email = `${newId()}@example.com`, role: 'viewer' | 'owner' = 'viewer') => {
  const { invitation, token } = await inviteMember(database, actor, businessId, { email, role })
  return { id: invitation.id, email, token: token.reveal() }
}
const callerAccount = ({ id, email }: { id: string; email: string }) => ({
  accountId: id,
  signInId: newId(),
  actor: { kind: 'account' as const, id, label: email, ...from },
})
const notFoundError = { status: 404, error: 'Not found' }

test('an invitation link creates an account with the invited role only', async () => {
  const { email, token } = await invite()
  const { account } = await acceptInvitation(ctx, from, { token, name: ' Ada ', password })
  expect(account).toMatchObject({ email, name: 'Ada', operator: false })
  expect(await ctx.passwords.verify(account.passwordHash, password, null)).toBe(true)
  expect(await roleIn(ctx.db, businessId, account.id)).toBe('viewer')
  await expect(acceptInvitation(ctx, from, { token, name: 'Eve', password })).rejects.toMatchObject({
    status: expect.any(Number),
  })
  expect((await listMembers(ctx.db, businessId)).filter((member) => member.email === email)).toHaveLength(1)
})

test('ten concurrent acceptances create one account and one member', async () => {
  const { email, token } = await invite()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, i) => acceptInvitation(ctx, from, { token, name: `P${i}`, password })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect([404, 409]).toContain(outcome.reason.status)
  expect((await listMembers(ctx.db, businessId)).filter((member) => member.email === email)).toHaveLength(1)
})

test('an expired or revoked invitation creates nothing', async () => {
  const [old, revoked] = [await invite(), await invite()]
  await ctx.db.query('update invitations set expires_at = now() where id = $1', [old.id])
  await revokeInvitation(database, actor, businessId, revoked.id)
  const self = callerAccount(await person(`later-${newId()}@example.com`))
  for (const { email, token } of [old, revoked]) {
    await expect(acceptInvitation(ctx, from, { token, name: 'P', password })).rejects.toMatchObject(
      notFoundError,
    )
    await expect(joinByInvitation(ctx, self, token)).rejects.toMatchObject(notFoundError)
    expect(await findAccountByEmail(ctx.db, email)).toBeNull()
  }
})

test('a weak password or a missing name does not use up the link', async () => {
  const { token } = await invite()
  await expect(acceptInvitation(ctx, from, { token, password })).rejects.toMatchObject({
    status: 400,
    fields: [{ field: 'name' }],
  })
  await expect(
    acceptInvitation(ctx, from, { token, name: 'P', password: 'aaaaaaaaaaaa' }),
  ).rejects.toMatchObject({ fields: [{ field: 'password' }] })
  await acceptInvitation(ctx, from, { token, name: 'P', password })
})

test('a link to an address with an account sets no password; only that account can join with it', async () => {
  const account = await person()
  const { email, token } = await invite(account.email, 'owner')
  await expect(acceptInvitation(ctx, from, { token, name: 'Eve', password })).rejects.toMatchObject({
    status: 409,
    error: 'account_exists',
  })
  expect((await getAccount(ctx.db, account.id)).passwordHash).toBe('none')
  const other = await person()
  await expect(joinByInvitation(ctx, callerAccount(other), token)).rejects.toMatchObject(notFoundError)
  expect(await roleIn(ctx.db, businessId, other.id)).toBeNull()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => joinByInvitation(ctx, callerAccount(account), token)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await roleIn(ctx.db, businessId, account.id)).toBe('owner')
  expect(email).toBe(account.email)
})

test('a member who opens another invitation keeps the role, and the link is not used up', async () => {
  const account = await person()
  const { token } = await invite(account.email, 'owner')
  await insertMember(ctx.db, businessId, account.id, 'viewer')
  await expect(joinByInvitation(ctx, callerAccount(account), token)).rejects.toMatchObject({
    status: 409,
    error: 'already_member',
  })
  expect(await roleIn(ctx.db, businessId, account.id)).toBe('viewer')
  await findInvitation(ctx.db, token)
})

test('an operator invitation creates an operator without memberships', async () => {
  const { token } = await makeInvitation(ctx.db, {
    purpose: 'operator',
    email: `${newId()}@example.com`,
    invitedBy: null,
  })
  const { account } = await acceptInvitation(ctx, from, { token: token.reveal(), name: 'Op', password })
  expect((await getAccount(ctx.db, account.id)).operator).toBe(true)
  expect(await ctx.db.query('select 1 from members where account_id = $1', [account.id])).toEqual([])
})

test('a reset works once: it sets a new password, disables the second factor, ends every session, and adds no membership', async () => {
  const account = await person()
  await ctx.db.query(`update accounts set totp_sealed = '\\x00', totp_enabled_at = now() where id = $1`, [
    account.id,
  ])
  await storeRecoveryCodes(ctx.db, account.id, generateRecoveryCodes())
  const { secret } = await startSession(ctx.db, account.id, { address: from.address, userAgent: null })
  const { token } = await makeInvitation(ctx.db, { purpose: 'reset', email: account.email, invitedBy: null })
  await expect(joinByInvitation(ctx, callerAccount(account), token.reveal())).rejects.toMatchObject(
    notFoundError,
  )
  expect(await findSession(ctx, secret.reveal())).not.toBeNull()
  const wanted = { token: token.reveal(), password }
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => acceptInvitation(ctx, from, wanted)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const after = await getAccount(ctx.db, account.id)
  expect(after).toMatchObject({ totpEnabledAt: null, totpSealed: null, operator: false })
  expect(await ctx.passwords.verify(after.passwordHash, password, null)).toBe(true)
  expect(await findSession(ctx, secret.reveal())).toBeNull()
  expect(await ctx.db.query('select 1 from recovery_codes where account_id = $1', [account.id])).toEqual([])
})
