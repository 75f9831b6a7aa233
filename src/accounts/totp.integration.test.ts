import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { appKey as appKeyText } from '../../test/support/template.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createAccount } from './createAccount.ts'
import {
  generateRecoveryCodes,
  generateTotpSecret,
  isRecoveryCode,
  sealTotpSecret,
  storeRecoveryCodes,
  takeRecoveryCode,
  takeTotpCode,
  totpUri,
} from './totp.ts'

// RFC 6238, appendix B: the key is the ASCII text 12345678901234567890, here in base 32.
const rfcSecret = new Secret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
/** Time in seconds and the eight SHA-1 digits, of which a code is the last six. */
const rfcVectors = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
] as const
const sixOf = (eight: string) => eight.slice(2)

const appKey = new Secret(appKeyText)
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(20)
})
afterAll(() => database?.drop())
afterEach(() => void jest.restoreAllMocks())

async function accountWith(secret: Secret) {
  const { id } = await createAccount(database.db, {
    email: `${newId()}@example.com`,
    name: 'A',
    passwordHash: 'none',
  })
  const account = { id, totpSealed: sealTotpSecret(appKey, id, secret) }
  return { id, account, take: (code: string) => takeTotpCode({ appKey }, database.db, account, code) }
}

const clockAt = (seconds: number) => jest.spyOn(Date, 'now').mockReturnValue(seconds * 1000)

test('the codes of RFC 6238, appendix B, are accepted at their times', async () => {
  const { take } = await accountWith(rfcSecret)
  for (const [seconds, eight] of rfcVectors) {
    clockAt(seconds)
    expect({ seconds, taken: await take(sixOf(eight)) }).toEqual({ seconds, taken: true })
  }
})

test('a clock may be one step off in both directions, and not two', async () => {
  for (const [seconds, eight] of rfcVectors.slice(1)) {
    const drifts = await Promise.all(
      [-60, -30, 0, 30, 60].map(async (drift) => ({ drift, ...(await accountWith(rfcSecret)) })),
    )
    for (const { drift, take } of drifts) {
      clockAt(seconds + drift)
      expect({ seconds, drift, taken: await take(sixOf(eight)) }).toEqual({
        seconds,
        drift,
        taken: Math.abs(drift) <= 30,
      })
    }
  }
})

test('a code works once, at any time', async () => {
  const { take } = await accountWith(rfcSecret)
  for (const drift of [-30, 0, 30]) {
    clockAt(1111111109 + drift)
    expect({ drift, taken: await take('081804') }).toEqual({ drift, taken: drift === -30 })
  }
})

test('a used code does not work again at the instant when the step changes', async () => {
  const { take } = await accountWith(rfcSecret)
  clockAt(1111111109)
  expect(await take('081804')).toBe(true)
  // The code is one step old at the first reading of the clock; a second reading would be in the next step.
  const edge = 1111111140
  jest
    .spyOn(Date, 'now')
    .mockReturnValue(edge * 1000)
    .mockReturnValueOnce(edge * 1000 - 1)
  expect(await take('081804')).toBe(false)
})

test('of twenty concurrent uses of one code exactly one succeeds', async () => {
  const { take } = await accountWith(rfcSecret)
  clockAt(1234567890)
  const taken = await Promise.all(Array.from({ length: 20 }, () => take('005924')))
  expect(taken.filter(Boolean)).toHaveLength(1)
})

test('after a code an earlier one is refused', async () => {
  const { take } = await accountWith(rfcSecret)
  clockAt(1111111111)
  expect(await take('050471')).toBe(true)
  expect(await take('081804')).toBe(false)
})

test('any other text is refused', async () => {
  const { take } = await accountWith(rfcSecret)
  clockAt(59)
  for (const code of ['', '287083', '94287082', '28708', ' 287082', '287082 ', '000000'])
    expect({ code, taken: await take(code) }).toEqual({ code, taken: false })
  expect(await take('287082')).toBe(true)
})

test('a secret opens only for the account that it was sealed for', async () => {
  const { account } = await accountWith(rfcSecret)
  const other = await accountWith(rfcSecret)
  await expect(
    takeTotpCode({ appKey }, database.db, { id: other.id, totpSealed: account.totpSealed }, '287082'),
  ).rejects.toThrow()
})

test('a secret has 160 bits, and an authenticator gets it as an otpauth URI', () => {
  const secret = generateTotpSecret()
  expect(secret.reveal()).toMatch(/^[A-Z2-7]{32}$/)
  expect(secret.reveal()).not.toBe(generateTotpSecret().reveal())
  const uri = new URL(totpUri(secret, 'ada+x@example.com'))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Cowry:ada+x@example.com',
  ])
  const { algorithm = 'SHA1', ...rest } = Object.fromEntries(uri.searchParams)
  expect({ algorithm, ...rest }).toMatchObject({
    algorithm: 'SHA1',
    secret: secret.reveal(),
    issuer: 'Cowry',
    digits: '6',
    period: '30',
  })
})

test('each recovery code works once, in any spelling, also with twenty concurrent uses', async () => {
  const { id } = await accountWith(rfcSecret)
  const codes = generateRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  await storeRecoveryCodes(database.db, id, codes)
  const [first = '', second = '', third = ''] = codes
  expect(await isRecoveryCode(database, id, first)).toBe(true)
  expect(await takeRecoveryCode(database.db, id, ` ${first.toUpperCase().replaceAll('-', ' ')}`)).toBe(true)
  expect(await isRecoveryCode(database, id, first)).toBe(false)
  expect(await takeRecoveryCode(database.db, id, first)).toBe(false)
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeRecoveryCode(database.db, id, second)))
  expect(taken.filter(Boolean)).toHaveLength(1)
  const other = await accountWith(rfcSecret)
  expect(await takeRecoveryCode(database.db, other.id, third)).toBe(false)
  expect(await takeRecoveryCode(database.db, id, third)).toBe(true)
})

test('new recovery codes void the old ones, and only hashes are stored', async () => {
  const { id } = await accountWith(rfcSecret)
  const [old, fresh] = [generateRecoveryCodes(), generateRecoveryCodes()]
  await storeRecoveryCodes(database.db, id, old)
  await storeRecoveryCodes(database.db, id, fresh)
  expect(await takeRecoveryCode(database.db, id, old[0] ?? '')).toBe(false)
  const rows = await database.db.query<{ text: string }>(
    'select r::text as text from recovery_codes r where account_id = $1',
    [id],
  )
  expect(rows).toHaveLength(10)
  const kept = rows.map(({ text }) => text).join('\n')
  for (const code of fresh)
    for (const text of [code, code.replaceAll('-', ''), Buffer.from(code).toString('hex')])
      expect(kept).not.toContain(text)
})
