import { randomBytes } from 'node:crypto'
import { afterEach, expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { deviceSeconds, issueDeviceCookie, knownDevice } from './deviceCookie.ts'

const appKey = new Secret(randomBytes(32).toString('base64'))
const account = { id: newId(), passwordHash: '$argon2id$of-one-password' }

afterEach(() => void jest.restoreAllMocks())

test('a browser that signed in is known to its account, under an id of its own', () => {
  const names = [1, 2, 3].map(() => knownDevice(appKey, issueDeviceCookie(appKey, account), account))
  for (const name of names) expect(name).toMatch(/^[\w-]{16}$/)
  expect(new Set(names).size).toBe(3)
})

test('it is unknown to every other account and to another deployment', () => {
  const cookie = issueDeviceCookie(appKey, account)
  expect(knownDevice(appKey, cookie, { ...account, id: newId() })).toBeNull()
  expect(knownDevice(new Secret(randomBytes(32).toString('base64')), cookie, account)).toBeNull()
})

test('a cookie with any one character changed is invalid', () => {
  const cookie = issueDeviceCookie(appKey, account)
  for (let at = 0; at < cookie.length; at++) {
    const changed = `${cookie.slice(0, at)}${cookie[at] === 'Z' ? 'e' : 'Z'}${cookie.slice(at + 1)}`
    // The last base64 character of 256 bits has two unused bits.
    if (at < cookie.length - 1)
      expect({ at, known: knownDevice(appKey, changed, account) }).toEqual({ at, known: null })
  }
})

test('a made-up cookie is invalid and causes no error', () => {
  const part = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constant(account.id),
    fc.base64String({ maxLength: 48 }),
    fc.nat().map(String),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      expect(knownDevice(appKey, parts.join('.'), account)).toBeNull()
    }),
    { numRuns: 500 },
  )
  expect(knownDevice(appKey, null, account)).toBeNull()
})

test('after 400 days a browser is unknown again', () => {
  const cookie = issueDeviceCookie(appKey, account)
  const now = Date.now()
  const clock = jest.spyOn(Date, 'now')
  clock.mockReturnValue(now + (deviceSeconds - 2) * 1000)
  expect(knownDevice(appKey, cookie, account)).not.toBeNull()
  clock.mockReturnValue(now + (deviceSeconds + 1) * 1000)
  expect(knownDevice(appKey, cookie, account)).toBeNull()
})

test('a new password makes every browser unknown', () => {
  const cookie = issueDeviceCookie(appKey, account)
  expect(knownDevice(appKey, cookie, account)).not.toBeNull()
  expect(knownDevice(appKey, cookie, { ...account, passwordHash: '$argon2id$of-another' })).toBeNull()
})
