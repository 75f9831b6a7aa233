import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { TOTP } from 'otpauth'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { appKey } from '../../test/support/template.ts'
import { findInvitation, makeInvitation } from '../members/invitations.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { createRateLimiter } from '../rateLimits/rateLimiter.ts'
import {
  beginTotp,
  changePassword,
  disableTotp,
  enableTotp,
  renewRecoveryCodes,
  signOutEverywhere,
} from './changeAccount.ts'
import type { Self } from './confirmOwner.ts'
import { createAccount } from './createAccount.ts'
import { getAccount } from './findAccount.ts'
import { createPasswords } from './passwords.ts'
import type { AccountsContext } from './signIn.ts'
import { findSession, noteToken, startSession } from './signIns.ts'

const password = 'quiet-harbour-lantern-7'
const origin = { address: '203.0.113.5', userAgent: null }
const redis = new Redis({ lazyConnect: true })
let database: TestDatabase
let ctx: AccountsContext
let passwordHash: string

beforeAll(async () => {
  database = await createTestDatabase(20)
  const metrics = createMetrics('accounts')
  const passwords = createPasswords(metrics)
  passwordHash = await passwords.hash(password)
  const limiter = createRateLimiter({ redis, log: createLog('accounts', 'silent'), metrics }, 'test')
  ctx = {
    db: database.db,
    log: createLog('accounts', 'silent'),
    appKey: new Secret(appKey),
    limiter,
    passwords,
    issuer: 'https://pay.example.com',
  }
})
afterAll(async () => {
  redis.disconnect()
  await database?.drop()
})
afterEach(() => void jest.restoreAllMocks())

/** A person who is signed in. */
async function signedIn() {
  const { id, email } = await createAccount(ctx.db, {
    email: `${newId()}@example.com`,
    name: 'P',
    passwordHash,
  })
  const { id: signInId, secret } = await startSession(ctx.db, id, origin)
  const self: Self = {
    accountId: id,
    signInId,
    actor: { kind: 'account', id, label: email, address: origin.address, requestId: null },
  }
  return { id, self, holds: async () => (await findSession(ctx, secret.reveal())) !== null }
}

let steps = 0
/** The code of the next step; the clock moves on to it. */
function nextCode(secret: Secret): string {
  const timestamp = realNow() + ++steps * 30_000
  jest.spyOn(Date, 'now').mockReturnValue(timestamp)
  return new TOTP({ secret: secret.reveal() }).generate({ timestamp })
}
const realNow = Date.now.bind(Date)

async function withTotp() {
  const person = await signedIn()
  const { secret } = await beginTotp(ctx, person.self, password)
  const recoveryCodes = await enableTotp(ctx, person.self, nextCode(secret))
  return { ...person, secret, recoveryCodes }
}

const wrong = (field: string) => ({ status: 400, fields: [{ field }] })
const enabled = async (id: string) => (await getAccount(ctx.db, id)).totpEnabledAt !== null
const codesOf = async (id: string) =>
  (await ctx.db.query('select 1 from recovery_codes where account_id = $1 and used_at is null', [id])).length

test('the second factor is on only after a code has proven that the authenticator has the secret', async () => {
  const { id, self } = await signedIn()
  await expect(enableTotp(ctx, self, '123456')).rejects.toMatchObject({
    status: 409,
    error: 'totp_not_begun',
  })
  await expect(beginTotp(ctx, self, 'wrong')).rejects.toMatchObject(wrong('password'))
  const { secret: abandoned } = await beginTotp(ctx, self, password)
  const { secret } = await beginTotp(ctx, self, password)
  expect(await enabled(id)).toBe(false)
  await expect(enableTotp(ctx, self, nextCode(abandoned))).rejects.toMatchObject(wrong('totp'))
  expect([await enabled(id), await codesOf(id)]).toEqual([false, 0])
  expect(await enableTotp(ctx, self, nextCode(secret))).toHaveLength(10)
  expect([await enabled(id), await codesOf(id)]).toEqual([true, 10])
  await expect(enableTotp(ctx, self, nextCode(secret))).rejects.toMatchObject({
    status: 409,
    error: 'totp_enabled',
  })
  await expect(beginTotp(ctx, self, password)).rejects.toMatchObject({ error: 'totp_enabled' })
})

test('concurrent attempts to enable it give recovery codes only once', async () => {
  const { id, self } = await signedIn()
  const { secret } = await beginTotp(ctx, self, password)
  const code = nextCode(secret)
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => enableTotp(ctx, self, code)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await codesOf(id)).toBe(10)
})

test('disabling it takes the password and the factor together; neither alone is enough', async () => {
  const { id, self, secret, recoveryCodes } = await withTotp()
  const [recoveryCode = ''] = recoveryCodes
  await expect(disableTotp(ctx, self, 'wrong', { totp: nextCode(secret) })).rejects.toMatchObject(
    wrong('password'),
  )
  await expect(disableTotp(ctx, self, 'wrong', { recoveryCode })).rejects.toMatchObject(wrong('password'))
  await expect(disableTotp(ctx, self, password, {})).rejects.toMatchObject(wrong('totp'))
  const code = nextCode(secret)
  await expect(
    disableTotp(ctx, self, password, { totp: code === '000000' ? '000001' : '000000' }),
  ).rejects.toMatchObject(wrong('totp'))
  await expect(
    disableTotp(ctx, self, password, { recoveryCode: 'aaaa-aaaa-aaaa-aaaa' }),
  ).rejects.toMatchObject(wrong('recoveryCode'))
  expect([await enabled(id), await codesOf(id)]).toEqual([true, 10])
  await disableTotp(ctx, self, password, { totp: nextCode(secret) })
  expect([await enabled(id), await codesOf(id), (await getAccount(ctx.db, id)).totpSealed]).toEqual([
    false,
    0,
    null,
  ])
  await expect(disableTotp(ctx, self, password, {})).rejects.toMatchObject({
    status: 409,
    error: 'totp_not_enabled',
  })
})

test('a recovery code also disables it', async () => {
  const { id, self, recoveryCodes } = await withTotp()
  await disableTotp(ctx, self, password, { recoveryCode: recoveryCodes[3] ?? '' })
  expect(await enabled(id)).toBe(false)
})

test('new recovery codes need password and factor, and void the old ones', async () => {
  const { id, self, secret, recoveryCodes } = await withTotp()
  await expect(renewRecoveryCodes(ctx, self, 'wrong', { totp: nextCode(secret) })).rejects.toMatchObject(
    wrong('password'),
  )
  const used = nextCode(secret)
  const fresh = await renewRecoveryCodes(ctx, self, password, { totp: used })
  await expect(renewRecoveryCodes(ctx, self, password, { totp: used })).rejects.toMatchObject(wrong('totp'))
  expect(fresh.some((code) => recoveryCodes.includes(code))).toBe(false)
  expect(await codesOf(id)).toBe(10)
  await expect(
    disableTotp(ctx, self, password, { recoveryCode: recoveryCodes[0] ?? '' }),
  ).rejects.toMatchObject(wrong('recoveryCode'))
  await disableTotp(ctx, self, password, { recoveryCode: fresh[0] ?? '' })
})

test('a new password needs the current one, follows the rules, and ends every other session and token', async () => {
  const { id, self, holds } = await signedIn()
  const other = await startSession(ctx.db, id, origin)
  const tokenId = await noteToken(ctx.db, id, origin)
  await expect(changePassword(ctx, self, 'wrong', 'another-lantern-in-the-fog')).rejects.toMatchObject(
    wrong('currentPassword'),
  )
  await expect(changePassword(ctx, self, password, 'aaaaaaaaaaaa')).rejects.toMatchObject(
    wrong('newPassword'),
  )
  expect(await findSession(ctx, other.secret.reveal())).not.toBeNull()
  await changePassword(ctx, self, password, 'another-lantern-in-the-fog')
  const ended = await ctx.db.query<{ id: string }>(
    'select id from sign_ins where account_id = $1 and revoked_at is not null order by id',
    [id],
  )
  expect(ended.map((row) => row.id)).toEqual([other.id, tokenId].toSorted())
  expect([await holds(), await findSession(ctx, other.secret.reveal())]).toEqual([true, null])
  await expect(changePassword(ctx, self, password, 'yet-another-lantern')).rejects.toMatchObject(
    wrong('currentPassword'),
  )
})

test('a new password voids open reset links, and no other invitations', async () => {
  const { id, self } = await signedIn()
  const email = self.actor.label
  const [reset, operator] = [
    await makeInvitation(ctx.db, { purpose: 'reset', email, invitedBy: null }),
    await makeInvitation(ctx.db, { purpose: 'operator', email, invitedBy: null }),
  ]
  await changePassword(ctx, self, password, 'another-lantern-in-the-fog')
  await expect(findInvitation(ctx.db, reset.token.reveal())).rejects.toMatchObject({ status: 404 })
  await findInvitation(ctx.db, operator.token.reveal())
  const [entry] = await ctx.db.query(
    "select after from audit_log where target = $1 and action = 'account.password_changed'",
    [id],
  )
  expect(entry).toEqual({ after: { signInsEnded: 0, invitationsVoided: [reset.id] } })
})

test('signing out everywhere also ends the current session', async () => {
  const { self, holds } = await signedIn()
  expect(await holds()).toBe(true)
  await signOutEverywhere(ctx, self)
  expect(await holds()).toBe(false)
})

test("an open session does not evade the limits: 20 guesses, and the owner's other session is unaffected", async () => {
  const { id, self } = await signedIn()
  const elsewhere = { ...self, signInId: (await startSession(ctx.db, id, origin)).id }
  const statuses = await Promise.all(
    Array.from({ length: 40 }, () =>
      changePassword(ctx, self, 'guess', 'another-lantern-in-the-fog').catch(({ status }) => status),
    ),
  )
  expect(statuses.toSorted()).toEqual([...Array(20).fill(400), ...Array(20).fill(429)])
  await expect(changePassword(ctx, self, password, 'another-lantern-in-the-fog')).rejects.toMatchObject({
    status: 429,
  })
  await changePassword(ctx, elsewhere, password, 'another-lantern-in-the-fog')
})

test('the audit log records the changes and holds no secret', async () => {
  const { id, self, secret, recoveryCodes } = await withTotp()
  await renewRecoveryCodes(ctx, self, password, { totp: nextCode(secret) })
  await changePassword(ctx, self, password, 'another-lantern-in-the-fog')
  const rows = await ctx.db.query<{ action: string; text: string }>(
    'select action, l::text as text from audit_log l where target = $1 order by id',
    [id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'account.totp_enabled',
    'account.recovery_codes_renewed',
    'account.password_changed',
  ])
  for (const { text } of rows)
    for (const word of [password, 'another-lantern', secret.reveal(), ...recoveryCodes])
      expect(text).not.toContain(word)
})
