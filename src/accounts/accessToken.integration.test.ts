import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals'
import { decodeJwt, decodeProtectedHeader, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { appKey as appKeyText } from '../../test/support/template.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { issueAccessToken, readAccessToken } from './accessToken.ts'
import { createSigningKeys, type SigningKeys } from './signingKeys.ts'

const issuer = 'https://cowry.test'
const claims = { accountId: newId(), signInId: newId(), businessId: newId() }
let database: TestDatabase
let signingKeys: SigningKeys

beforeAll(async () => {
  database = await createTestDatabase()
  signingKeys = createSigningKeys(
    { db: database.db, appKey: new Secret(appKeyText), log: createLog('tokens', 'silent') },
    30,
  )
})
afterAll(() => database?.drop())
afterEach(() => void jest.restoreAllMocks())

const issue = () => issueAccessToken({ signingKeys, issuer }, claims)
const read = (token: string) => readAccessToken({ signingKeys, issuer }, token)

/** A token signed with our own key, with some fields changed. */
async function signed(
  change: { header?: Partial<JWTHeaderParameters>; payload?: Record<string, unknown> } = {},
): Promise<string> {
  const { kid, key } = await signingKeys.current()
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    iss: issuer,
    aud: 'cowry-api',
    sub: claims.accountId,
    jti: claims.signInId,
    iat: now,
    exp: now + 900,
    business: null,
  }
  return new SignJWT({ ...payload, ...change.payload })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt', ...change.header })
    .sign(key)
}

test('a token names its account, business, issuer and audience, and is valid for 15 minutes', async () => {
  const token = await issue()
  expect(decodeProtectedHeader(token)).toEqual({
    alg: 'ES256',
    kid: (await signingKeys.current()).kid,
    typ: 'at+jwt',
  })
  const { iat = 0, exp, ...rest } = decodeJwt(token)
  expect(rest).toEqual({
    iss: issuer,
    aud: 'cowry-api',
    sub: claims.accountId,
    jti: claims.signInId,
    business: claims.businessId,
  })
  expect(exp).toBe(iat + 15 * 60)
  expect(await read(token)).toEqual({ ...claims, expiresAt: (exp ?? 0) * 1000 })
})

test('after 15 minutes a token is reported as expired', async () => {
  const token = await issue()
  const { iat = 0 } = decodeJwt(token)
  const clock = jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'clearTimeout', 'queueMicrotask'],
  })
  try {
    clock.setSystemTime((iat + 899) * 1000)
    expect(await read(token)).toMatchObject(claims)
    clock.setSystemTime((iat + 900) * 1000)
    expect(await read(token)).toBe('expired')
  } finally {
    jest.useRealTimers()
  }
})

test('a token with any one character changed is invalid', async () => {
  const token = await issue()
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let at = 0; at < token.length; at++) {
    const index = alphabet.indexOf(token[at] ?? '')
    // Flip all six bits, so that those that count at the end of a part change, too.
    const changed = token.slice(0, at) + (index < 0 ? 'A' : alphabet[63 - index]) + token.slice(at + 1)
    expect({ at, read: await read(changed) }).toEqual({ at, read: null })
  }
})

test('a token signed with our own key but with other claims is not an access token', async () => {
  expect(await read(await signed())).toMatchObject({ accountId: claims.accountId })
  const others = {
    'another type': signed({ header: { typ: 'JWT' } }),
    'no type': signed({ header: { typ: undefined } as never }),
    'another issuer': signed({ payload: { iss: 'https://else.test' } }),
    'no issuer': signed({ payload: { iss: undefined } }),
    'another audience': signed({ payload: { aud: 'else' } }),
    'no audience': signed({ payload: { aud: undefined } }),
    'no account': signed({ payload: { sub: undefined } }),
    'a malformed account id': signed({ payload: { sub: "'; drop table accounts" } }),
    'no session': signed({ payload: { jti: undefined } }),
    'not yet': signed({ payload: { nbf: Math.floor(Date.now() / 1000) + 600 } }),
    'an unknown critical extension': signed({ header: { crit: ['x'], x: 1 } as never }).catch(
      () => 'not.even.signed',
    ),
    'another kid': signed({ header: { kid: newId() } }),
    'a malformed kid': signed({ header: { kid: '../../etc/passwd' } }),
    'no kid': signed({ header: { kid: undefined } as never }),
  }
  for (const [what, token] of Object.entries(others))
    expect({ what, read: await read(await token) }).toEqual({ what, read: null })
})

test('tokens signed with another key or algorithm are invalid', async () => {
  const [header = '', payload = '', signature = ''] = (await issue()).split('.')
  const { kid } = await signingKeys.current()
  const headerOf = (fields: object) =>
    Buffer.from(JSON.stringify({ kid, typ: 'at+jwt', ...fields })).toString('base64url')
  const unsigned = headerOf({ alg: 'none' })
  const [published] = await signingKeys.published()
  const hmac = headerOf({ alg: 'HS256' })
  const { privateKey } = await generateKeyPair('ES256')
  const wide = await generateKeyPair('ES384')
  const forged = [
    `${unsigned}.${payload}.`,
    `${unsigned}.${payload}.${signature}`,
    `${header}.${payload}.`,
    // The public key used as an HMAC secret.
    ...[JSON.stringify(published), published?.x ?? ''].map(
      (key) =>
        `${hmac}.${payload}.${createHmac('sha256', key).update(`${hmac}.${payload}`).digest('base64url')}`,
    ),
    await new SignJWT(decodeJwt(`${header}.${payload}.${signature}`))
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
      .sign(privateKey),
    await new SignJWT(decodeJwt(`${header}.${payload}.${signature}`))
      .setProtectedHeader({ alg: 'ES384', kid, typ: 'at+jwt' })
      .sign(wide.privateKey),
    ...['', '.', '..', '...', 'x', `${header}.${payload}`, `${header}.${payload}.${signature}.${signature}`],
  ]
  for (const token of forged) expect({ token, read: await read(token) }).toEqual({ token, read: null })
})
