import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { TOTP } from 'otpauth'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import {
  type Cbor,
  createSoftAuthenticator,
  type Misbehaviour,
  type SoftAuthenticator,
} from '../../test/support/softAuthenticator.ts'
import { appKey } from '../../test/support/template.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { acceptInvitation } from '../businesses/acceptInvitation.ts'
import { makeInvitation } from '../members/invitations.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { createRateLimiter } from '../rateLimits/rateLimiter.ts'
import { beginTotp, disableTotp, enableTotp, renewRecoveryCodes } from './changeAccount.ts'
import type { Self } from './confirmOwner.ts'
import { createAccount } from './createAccount.ts'
import { getAccount } from './findAccount.ts'
import { forgetChallenges } from './passkeyChallenges.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeyConfirmation,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys.ts'
import { createPasswords } from './passwords.ts'
import {
  type AccountsContext,
  type Attempt,
  beginPasskeySignIn,
  type GivenFactor,
  requireUnchanged,
  verifySignIn,
} from './signIn.ts'
import { findSession, startSession } from './signIns.ts'

const password = 'quiet-harbour-lantern-7'
const issuer = 'https://pay.example.com'
const origin = { address: '203.0.113.5', userAgent: null }
const redis = new Redis({ lazyConnect: true })
let database: TestDatabase
let ctx: AccountsContext
let passwordHash: string

beforeAll(async () => {
  database = await createTestDatabase(20)
  const metrics = createMetrics('accounts')
  const log = createLog('accounts', 'silent')
  const passwords = createPasswords(metrics)
  passwordHash = await passwords.hash(password)
  const limiter = createRateLimiter({ redis, log, metrics }, 'test')
  ctx = { db: database.db, log, appKey: new Secret(appKey), limiter, passwords, issuer }
})
afterAll(async () => {
  redis.disconnect()
  await database?.drop()
})
afterEach(() => void jest.restoreAllMocks())

interface Person {
  id: string
  email: string
  self: Self
  factor: () => Promise<string | null>
}

async function signedIn(): Promise<Person> {
  const { id, email } = await createAccount(ctx.db, {
    email: `${newId()}@example.com`,
    name: 'P',
    passwordHash,
  })
  return { id, email, ...(await inSession(id, email)) }
}

async function inSession(id: string, email: string) {
  const { id: signInId, secret } = await startSession(ctx.db, id, origin)
  const self: Self = {
    accountId: id,
    signInId,
    actor: { kind: 'account', id, label: email, address: origin.address, requestId: null },
  }
  return { self, factor: async () => (await findSession(ctx, secret.reveal()))?.factor ?? null }
}

async function register(
  self: Self,
  given: GivenFactor = {},
  name = 'Laptop',
  authenticator = createSoftAuthenticator(issuer),
) {
  const asked = await beginPasskey(ctx, self, password, given)
  const added = await addPasskey(ctx, self, name, authenticator.create(asked))
  return { authenticator, ...added }
}

async function withPasskey() {
  const person = await signedIn()
  const { authenticator, passkey, recoveryCodes } = await register(person.self)
  return { ...person, authenticator, passkey, recoveryCodes: recoveryCodes ?? [] }
}

const attempt = (email: string, given: GivenFactor = {}, address = origin.address): Attempt => ({
  email,
  password,
  ...given,
  origin: { address, userAgent: null },
  device: null,
  requestId: 'r',
})

async function askToSignIn(email: string, address?: string) {
  const asked = await beginPasskeySignIn(ctx, attempt(email, {}, address))
  if (!asked) throw new Error('the account has no passkey')
  return asked
}

async function confirmBy(self: Self, authenticator: SoftAuthenticator): Promise<GivenFactor> {
  return { passkey: authenticator.get(await beginPasskeyConfirmation(ctx, self)) }
}

const wrong = (field: string) => ({ status: 400, fields: [{ field }] })
const invalid = { status: 401, error: 'invalid_passkey' }
const codesOf = async (id: string) =>
  (await ctx.db.query('select 1 from recovery_codes where account_id = $1 and used_at is null', [id])).length
const challengesOf = async (id: string) =>
  (await ctx.db.query('select 1 from passkey_challenges where account_id = $1', [id])).length
const entriesOf = (id: string, action: string) =>
  ctx.db.query<{ target: string; before: object | null; after: object | null }>(
    'select target, before, after from audit_log where actor_id = $1 and action = $2 order by id',
    [id, action],
  )

describe('a passkey', () => {
  test('is registered with the password, brings recovery codes, and gives the session a second factor', async () => {
    const { id, self, factor } = await signedIn()
    await expect(beginPasskey(ctx, self, 'wrong', {})).rejects.toMatchObject(wrong('password'))
    const asked = await beginPasskey(ctx, self, password, {})
    expect(asked).toMatchObject({
      rp: { id: 'pay.example.com' },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'preferred' },
      excludeCredentials: [],
    })
    const { passkey, recoveryCodes } = await addPasskey(
      ctx,
      self,
      ' Laptop ',
      createSoftAuthenticator(issuer).create(asked),
    )
    expect([passkey, recoveryCodes?.length]).toEqual([
      { id: passkey.id, name: 'Laptop', createdAt: expect.any(String), lastUsedAt: null },
      10,
    ])
    expect([await factor(), await codesOf(id), await listPasskeys(ctx.db, id)]).toEqual([
      'passkey',
      10,
      [passkey],
    ])
    expect(await entriesOf(id, 'account.passkey_added')).toEqual([
      { target: passkey.id, before: null, after: { name: 'Laptop' } },
    ])
  })

  test('signs in after the password, which requests it, and is recorded as the factor', async () => {
    const { id, email, authenticator, passkey } = await withPasskey()
    await expect(verifySignIn(ctx, attempt(email))).rejects.toMatchObject({
      status: 401,
      error: 'passkey_required',
    })
    await expect(beginPasskeySignIn(ctx, { ...attempt(email), password: 'wrong' })).rejects.toMatchObject({
      error: 'invalid_credentials',
    })
    const asked = await askToSignIn(email)
    expect(asked.allowCredentials).toEqual([
      { id: authenticator.credentialId, type: 'public-key', transports: ['internal'] },
    ])
    const verified = await verifySignIn(ctx, attempt(email, { passkey: authenticator.get(asked) }))
    expect([verified.account.id, verified.factor]).toEqual([id, 'passkey'])
    const [used] = await listPasskeys(ctx.db, id)
    expect([used?.id, used?.lastUsedAt]).toEqual([passkey.id, expect.any(String)])
    // An account without a passkey gets no challenge.
    expect(await beginPasskeySignIn(ctx, attempt((await signedIn()).email))).toBeNull()
  })

  test('may keep its counter at zero, as many authenticators do', async () => {
    const { self, email } = await signedIn()
    const { authenticator } = await register(self, {}, 'Phone', createSoftAuthenticator(issuer, false))
    for (let i = 0; i < 2; i++)
      expect(
        (await verifySignIn(ctx, attempt(email, { passkey: authenticator.get(await askToSignIn(email)) })))
          .factor,
      ).toBe('passkey')
  })

  test('is renamed and removed by its owner only; another account gets 404', async () => {
    const { id, self, authenticator, passkey } = await withPasskey()
    const other = await withPasskey()
    await expect(renamePasskey(ctx, other.self, passkey.id, 'Mine')).rejects.toMatchObject({ status: 404 })
    const confirmed = await confirmBy(other.self, other.authenticator)
    await expect(removePasskey(ctx, other.self, passkey.id, password, confirmed)).rejects.toMatchObject({
      status: 404,
    })
    expect(await renamePasskey(ctx, self, passkey.id, ' Old laptop ')).toMatchObject({
      id: passkey.id,
      name: 'Old laptop',
    })
    await expect(removePasskey(ctx, self, passkey.id, password, {})).rejects.toMatchObject(wrong('passkey'))
    await expect(
      removePasskey(ctx, self, passkey.id, 'wrong', await confirmBy(self, authenticator)),
    ).rejects.toMatchObject(wrong('password'))
    await removePasskey(ctx, self, passkey.id, password, await confirmBy(self, authenticator))
    expect(await listPasskeys(ctx.db, id)).toEqual([])
    expect(await entriesOf(id, 'account.passkey_renamed')).toEqual([
      { target: passkey.id, before: { name: 'Laptop' }, after: { name: 'Old laptop' } },
    ])
    expect(await entriesOf(id, 'account.passkey_removed')).toEqual([
      { target: passkey.id, before: { name: 'Old laptop' }, after: null },
    ])
  })

  test('as the last second factor takes the recovery codes and the factor of sessions with it; with an authenticator left they stay', async () => {
    const { id, email, self, factor, authenticator, passkey } = await withPasskey()
    const { secret } = await beginTotp(ctx, self, password, await confirmBy(self, authenticator))
    const totp = new TOTP({ secret: secret.reveal() })
    await enableTotp(ctx, self, totp.generate())
    await removePasskey(ctx, self, passkey.id, password, await confirmBy(self, authenticator))
    expect([await codesOf(id), await factor()]).toEqual([10, 'totp'])
    await ctx.db.query('update accounts set totp_last_step = 0 where id = $1', [id])
    const second = await register(self, { totp: totp.generate() })
    expect(second.recoveryCodes).toBeNull()
    await disableTotp(ctx, self, password, await confirmBy(self, second.authenticator))
    expect([await codesOf(id), await factor()]).toEqual([10, 'passkey'])
    await expect(
      disableTotp(ctx, self, password, await confirmBy(self, second.authenticator)),
    ).rejects.toMatchObject({ error: 'totp_not_enabled' })
    const fresh = await renewRecoveryCodes(ctx, self, password, await confirmBy(self, second.authenticator))
    expect((await verifySignIn(ctx, attempt(email, { recoveryCode: fresh[0] ?? '' }))).factor).toBe(
      'recovery_code',
    )
    await removePasskey(ctx, self, second.passkey.id, password, { recoveryCode: fresh[1] ?? '' })
    expect([await codesOf(id), await factor()]).toEqual([0, null])
    expect((await verifySignIn(ctx, attempt(email))).factor).toBeNull()
  })

  test('is not registered twice, nor by another account; an account has at most twenty', async () => {
    const { id, self, authenticator } = await withPasskey()
    const asked = await beginPasskey(ctx, self, password, await confirmBy(self, authenticator))
    expect(asked.excludeCredentials).toEqual([
      { id: authenticator.credentialId, type: 'public-key', transports: ['internal'] },
    ])
    await expect(addPasskey(ctx, self, 'Again', authenticator.create(asked))).rejects.toMatchObject({
      status: 409,
      error: 'passkey_known',
    })
    const other = await signedIn()
    const stolen = createSoftAuthenticator(issuer).create(await beginPasskey(ctx, other.self, password, {}), {
      credentialId: authenticator.credentialId,
    })
    await expect(addPasskey(ctx, other.self, 'Taken', stolen)).rejects.toMatchObject({
      error: 'passkey_known',
    })
    await ctx.db.query(
      `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
       select gen_random_uuid(), $1::uuid, sha256((n || $1::text)::bytea), '', 0, '{}', 'P' from generate_series(1, 19) n`,
      [id],
    )
    const begun = beginPasskey(ctx, self, password, await confirmBy(self, authenticator))
    await expect(begun).rejects.toMatchObject({ status: 409, error: 'too_many_passkeys' })
  })
})

describe('signing in is refused, and counts as a wrong code, for', () => {
  const other = createSoftAuthenticator(issuer)
  const misbehaviours: [string, Misbehaviour][] = [
    ['a challenge that was not requested', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['the pages of another site', { origin: 'https://pay.example.com.evil.example' }],
    ['the same host without TLS', { origin: 'http://pay.example.com' }],
    ['a page inside another site', { crossOrigin: true }],
    ['the hash of another RP id', { rpId: 'evil.example' }],
    ['no user present', { isPresent: false }],
    ['a signature over other data', { signsOther: true }],
    ['an answer made for a registration', { type: 'webauthn.create' }],
    ['an unknown credential', { credentialId: other.credentialId }],
  ]

  test.each(misbehaviours)('%s', async (_name, misbehaviour) => {
    const { id, email, authenticator } = await withPasskey()
    const passkey = authenticator.get(await askToSignIn(email), misbehaviour)
    await expect(verifySignIn(ctx, attempt(email, { passkey }))).rejects.toMatchObject(invalid)
    expect((await listPasskeys(ctx.db, id))[0]?.lastUsedAt).toBeNull()
    // The same authenticator, behaving.
    expect(
      (await verifySignIn(ctx, attempt(email, { passkey: authenticator.get(await askToSignIn(email)) })))
        .factor,
    ).toBe('passkey')
  })

  test('a used challenge, with the same answer or another one; of three concurrent answers one counts', async () => {
    const { email, authenticator, id } = await withPasskey()
    const asked = await askToSignIn(email)
    const passkey = authenticator.get(asked)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 }, () => verifySignIn(ctx, attempt(email, { passkey }))),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(
      verifySignIn(ctx, attempt(email, { passkey: authenticator.get(asked) })),
    ).rejects.toMatchObject(invalid)
    expect(await challengesOf(id)).toBe(0)
  })

  test('the right answer after a wrong one to the same challenge', async () => {
    const { email, authenticator } = await withPasskey()
    const asked = await askToSignIn(email)
    const [bad, good] = [authenticator.get(asked, { signsOther: true }), authenticator.get(asked)]
    for (const passkey of [bad, good])
      await expect(verifySignIn(ctx, attempt(email, { passkey }))).rejects.toMatchObject(invalid)
  })

  test('an expired challenge, which maintenance deletes', async () => {
    const { id, email, authenticator } = await withPasskey()
    const expire = () =>
      ctx.db.query(`update passkey_challenges set expires_at = now() where account_id = $1`, [id])
    const asked = await askToSignIn(email)
    await expire()
    await expect(
      verifySignIn(ctx, attempt(email, { passkey: authenticator.get(asked) })),
    ).rejects.toMatchObject(invalid)
    await askToSignIn(email)
    await expire()
    expect(await challengesOf(id)).toBe(1)
    const late = await withPasskey()
    await askToSignIn(late.email)
    await forgetChallenges(ctx.db)
    expect([await challengesOf(id), await challengesOf(late.id)]).toEqual([0, 1])
  })

  test("another account's passkey, also where it answers this account's challenge", async () => {
    const [mine, theirs] = [await withPasskey(), await withPasskey()]
    const asked = await askToSignIn(mine.email)
    await expect(
      verifySignIn(ctx, attempt(mine.email, { passkey: theirs.authenticator.get(asked) })),
    ).rejects.toMatchObject(invalid)
    // Also a challenge of another account, answered by the right passkey.
    const elsewhere = await askToSignIn(theirs.email)
    await expect(
      verifySignIn(ctx, attempt(mine.email, { passkey: mine.authenticator.get(elsewhere) })),
    ).rejects.toMatchObject(invalid)
  })

  test("an answer to a session's challenge, and the reverse", async () => {
    const { self, email, authenticator, passkey } = await withPasskey()
    const asked = await beginPasskeyConfirmation(ctx, self)
    await expect(
      verifySignIn(ctx, attempt(email, { passkey: authenticator.get(asked) })),
    ).rejects.toMatchObject(invalid)
    const signIn = authenticator.get(await askToSignIn(email))
    await expect(removePasskey(ctx, self, passkey.id, password, { passkey: signIn })).rejects.toMatchObject(
      wrong('passkey'),
    )
    // Also a challenge that this session requested for another purpose.
    const begun = await beginPasskey(ctx, self, password, await confirmBy(self, authenticator))
    const forAnother = authenticator.get({ challenge: begun.challenge, rpId: begun.rp.id })
    await expect(
      removePasskey(ctx, self, passkey.id, password, { passkey: forAnother }),
    ).rejects.toMatchObject(wrong('passkey'))
    // Also a challenge that another session of the account requested.
    const elsewhere = await inSession(self.accountId, email)
    const there = await confirmBy(elsewhere.self, authenticator)
    await expect(removePasskey(ctx, self, passkey.id, password, there)).rejects.toMatchObject(
      wrong('passkey'),
    )
  })

  test('a counter that does not increase: the authenticator was copied, which is audited', async () => {
    const { id, email, authenticator, passkey } = await withPasskey()
    await verifySignIn(
      ctx,
      attempt(email, { passkey: authenticator.get(await askToSignIn(email), { counter: 7 }) }),
    )
    for (const counter of [7, 6, 0]) {
      const copied = authenticator.get(await askToSignIn(email), { counter })
      await expect(
        verifySignIn(ctx, attempt(email, { passkey: copied }, `198.51.100.1${counter}`)),
      ).rejects.toMatchObject(invalid)
    }
    const after = { reason: 'counter', name: 'Laptop', expectedAbove: 7 }
    const entries = await entriesOf(id, 'account.passkey_refused')
    expect(entries).toEqual(
      [7, 6, 0].map((counter) => ({ target: passkey.id, before: null, after: { ...after, counter } })),
    )
    // A forged signature is refused without an audit entry.
    const forged = createSoftAuthenticator(issuer).get(await askToSignIn(email), {
      credentialId: authenticator.credentialId,
      counter: 1,
    })
    await expect(
      verifySignIn(ctx, attempt(email, { passkey: forged }, '198.51.100.20')),
    ).rejects.toMatchObject(invalid)
    expect(await entriesOf(id, 'account.passkey_refused')).toHaveLength(3)
    expect(
      (
        await verifySignIn(
          ctx,
          attempt(email, { passkey: authenticator.get(await askToSignIn(email), { counter: 8 }) }),
        )
      ).factor,
    ).toBe('passkey')
  })

  test('the fifth wrong answer of a network in 15 minutes, while right answers cost nothing', async () => {
    const { email, authenticator } = await withPasskey()
    const address = '198.51.100.9'
    for (let i = 0; i < 3; i++)
      await verifySignIn(
        ctx,
        attempt(email, { passkey: authenticator.get(await askToSignIn(email, address)) }, address),
      )
    const guess = async () => {
      const passkey = authenticator.get(await askToSignIn(email, address), { signsOther: true })
      return verifySignIn(ctx, attempt(email, { passkey }, address)).catch(({ status }) => status)
    }
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push(await guess())
    expect(statuses).toEqual([401, 401, 401, 401])
    await expect(askToSignIn(email, address)).rejects.toMatchObject({ status: 429 })
  })
})

describe('registering is refused for', () => {
  const field = wrong('passkey')
  test.each<[string, Misbehaviour]>([
    ['a challenge that was not requested', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['the pages of another site', { origin: 'https://evil.example' }],
    ['the hash of another RP id', { rpId: 'evil.example' }],
    ['no user present', { isPresent: false }],
    ['an answer made for a sign-in', { type: 'webauthn.get' }],
    ['an attestation that was not requested', { format: 'fido-u2f' }],
  ])('%s', async (_name, misbehaviour) => {
    const { id, self } = await signedIn()
    const made = createSoftAuthenticator(issuer).create(
      await beginPasskey(ctx, self, password, {}),
      misbehaviour,
    )
    await expect(addPasskey(ctx, self, 'P', made)).rejects.toMatchObject(field)
    expect([await listPasskeys(ctx.db, id), await codesOf(id)]).toEqual([[], 0])
  })

  test('a valid attestation with certificates; self attestation is accepted', async () => {
    const { id, self } = await signedIn()
    const maker = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const certificate = certificateOf(maker.publicKey.export({ type: 'spki', format: 'der' }))
    const statement = (signed: Buffer) =>
      new Map<Cbor, Cbor>([
        ['alg', -7],
        ['sig', sign('sha256', signed, maker.privateKey)],
        ['x5c', [certificate]],
      ])
    const made = createSoftAuthenticator(issuer).create(await beginPasskey(ctx, self, password, {}), {
      format: 'packed',
      statement,
    })
    await expect(addPasskey(ctx, self, 'P', made)).rejects.toMatchObject(field)
    const plain = createSoftAuthenticator(issuer).create(await beginPasskey(ctx, self, password, {}), {
      format: 'packed',
    })
    const { passkey } = await addPasskey(ctx, self, 'P', plain)
    expect(await listPasskeys(ctx.db, id)).toEqual([passkey])
  })

  test('a used or expired challenge, or one requested in another session', async () => {
    const { id, email, self } = await signedIn()
    const elsewhere = await inSession(id, email)
    const there = await beginPasskey(ctx, elsewhere.self, password, {})
    await expect(
      addPasskey(ctx, self, 'P', createSoftAuthenticator(issuer).create(there)),
    ).rejects.toMatchObject(field)
    const late = await beginPasskey(ctx, self, password, {})
    await ctx.db.query('update passkey_challenges set expires_at = now() where account_id = $1', [id])
    await expect(
      addPasskey(ctx, self, 'P', createSoftAuthenticator(issuer).create(late)),
    ).rejects.toMatchObject(field)
    const asked = await beginPasskey(ctx, self, password, {})
    await addPasskey(ctx, self, 'P', createSoftAuthenticator(issuer).create(asked))
    await expect(
      addPasskey(ctx, self, 'P', createSoftAuthenticator(issuer).create(asked)),
    ).rejects.toMatchObject(field)
  })

  test('a session from before the second factor that knows the password, with a registration started before or now', async () => {
    const { id, email, self } = await signedIn()
    const stale = (await inSession(id, email)).self
    const begun = await beginPasskey(ctx, stale, password, {})
    const { secret } = await beginTotp(ctx, stale, password)
    await register(self)
    await expect(
      addPasskey(ctx, stale, 'P', createSoftAuthenticator(issuer).create(begun)),
    ).rejects.toMatchObject(field)
    await expect(
      enableTotp(ctx, stale, new TOTP({ secret: secret.reveal() }).generate()),
    ).rejects.toMatchObject({ error: 'totp_not_begun' })
    await expect(beginPasskey(ctx, stale, password, {})).rejects.toMatchObject(field)
    await expect(beginTotp(ctx, stale, password)).rejects.toMatchObject(field)
    // The same where the authenticator comes first.
    const second = await signedIn()
    const early = (await inSession(second.id, second.email)).self
    const asked = await beginPasskey(ctx, early, password, {})
    const own = await beginTotp(ctx, second.self, password)
    await enableTotp(ctx, second.self, new TOTP({ secret: own.secret.reveal() }).generate())
    await expect(
      addPasskey(ctx, early, 'P', createSoftAuthenticator(issuer).create(asked)),
    ).rejects.toMatchObject(field)
  })
})

test('a confirmation is not enough if the account gets its first second factor meanwhile', async () => {
  const { id, self } = await signedIn()
  const asked = await beginPasskey(ctx, self, password, {})
  const passkeyId = newId()
  const waiting = async () => {
    const [row] = await ctx.db.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return row?.count === 4
  }
  const outcomes = await ctx.db.tx(async (tx) => {
    await tx.query('select 1 from accounts where id = $1 for update', [id])
    const begun = Promise.allSettled([
      beginPasskey(ctx, self, password, {}),
      addPasskey(ctx, self, 'P', createSoftAuthenticator(issuer).create(asked)),
      beginTotp(ctx, self, password),
      removePasskey(ctx, self, passkeyId, password, {}),
    ])
    await waitFor('four that wait for the account', waiting)
    await tx.query(
      `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name) values ($1, $2, $3, '', 0, '{}', 'First')`,
      [passkeyId, id, Buffer.from(passkeyId)],
    )
    return { begun }
  })
  for (const outcome of await outcomes.begun)
    expect(outcome).toMatchObject({ status: 'rejected', reason: wrong('passkey') })
  expect((await listPasskeys(ctx.db, id)).map(({ name }) => name)).toEqual(['First'])
})

describe('a reset', () => {
  const reset = async (email: string, isMailed: boolean) => {
    const { token } = await makeInvitation(ctx.db, { purpose: 'reset', email, invitedBy: null, isMailed })
    return acceptInvitation(
      ctx,
      { address: origin.address, requestId: 'r' },
      { token: token.reveal(), password: 'another-lantern-in-the-fog' },
    )
  }
  const left = async (id: string) => [(await listPasskeys(ctx.db, id)).length, await codesOf(id)]

  test('by mail keeps the passkeys of a proven account, and removes those of an unproven one', async () => {
    const [proven, unproven] = [await withPasskey(), await withPasskey()]
    await ctx.db.query('update accounts set email_proven_at = now() where id = $1', [proven.id])
    expect([(await reset(proven.email, true)).needsSecondFactor, await left(proven.id)]).toEqual([
      true,
      [1, 10],
    ])
    expect([(await reset(unproven.email, true)).needsSecondFactor, await left(unproven.id)]).toEqual([
      false,
      [0, 0],
    ])
    const [entry] = await entriesOf(unproven.id, 'account.password_reset')
    expect(entry?.after).toMatchObject({ totp: false, passkeysRemoved: 1 })
  })

  test("by the operator's link removes them and their challenges", async () => {
    const { id, email } = await withPasskey()
    await ctx.db.query('update accounts set email_proven_at = now() where id = $1', [id])
    await askToSignIn(email)
    expect([(await reset(email, false)).needsSecondFactor, await left(id), await challengesOf(id)]).toEqual([
      false,
      [0, 0],
      0,
    ])
  })
})

test('no session starts for an account whose passkeys changed after the answer', async () => {
  const { email, self, authenticator, passkey } = await withPasskey()
  const { account } = await verifySignIn(
    ctx,
    attempt(email, { passkey: authenticator.get(await askToSignIn(email)) }),
  )
  await ctx.db.tx((tx) => requireUnchanged(tx, account))
  await removePasskey(ctx, self, passkey.id, password, await confirmBy(self, authenticator))
  await expect(ctx.db.tx((tx) => requireUnchanged(tx, account))).rejects.toMatchObject({
    error: 'invalid_credentials',
  })
  expect((await getAccount(ctx.db, self.accountId)).passkeyIds).toEqual([])
})

test('the audit log holds no challenge', async () => {
  const { id, email, authenticator } = await withPasskey()
  const asked = await askToSignIn(email)
  await verifySignIn(ctx, attempt(email, { passkey: authenticator.get(asked) }))
  const rows = await ctx.db.query<{ text: string }>(
    'select l::text as text from audit_log l where actor_id = $1',
    [id],
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { text } of rows) expect(text).not.toContain(asked.challenge)
})

/**
 * A certificate of a maker's key as WebAuthn 8.2.1 requires, in hand-made DER (X.690); its own signature is
 * invalid.
 */
function certificateOf(spki: Buffer): Buffer {
  const der = (tag: number, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
    return Buffer.concat([Buffer.from([tag, ...length]), body])
  }
  const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
  const attribute = (id: string, value: string) =>
    der(0x31, der(0x30, oid(id), der(0x0c, Buffer.from(value))))
  const [country, maker] = [attribute('550406', 'US'), attribute('55040a', 'Maker')]
  const name = der(
    0x30,
    country,
    maker,
    attribute('55040b', 'Authenticator Attestation'),
    attribute('550403', 'Key'),
  )
  const ecdsa = der(0x30, oid('2a8648ce3d040302'))
  const times = der(0x30, der(0x17, Buffer.from('240101000000Z')), der(0x17, Buffer.from('490101000000Z')))
  const constraints = der(0x30, oid('551d13'), der(0x04, der(0x30)))
  const version = der(0xa0, der(0x02, Buffer.from([2])))
  const body = der(
    0x30,
    version,
    der(0x02, Buffer.from([1])),
    ecdsa,
    name,
    times,
    name,
    spki,
    der(0xa3, der(0x30, constraints)),
  )
  return der(0x30, body, ecdsa, der(0x03, Buffer.from([0]), Buffer.alloc(70)))
}
