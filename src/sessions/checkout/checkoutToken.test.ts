import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { AppKey } from '../../platform/appKey.ts'
import { Secret } from '../../platform/secrets.ts'
import { checkoutToken, checkoutUrls, sessionOfToken } from './checkoutToken.ts'

const newKey = () => new Secret(randomBytes(32).toString('base64'))
const key = newKey()

test('a token leads back to its session, with the key that made it and no other', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const token = checkoutToken(key, id)
      expect(token).toMatch(/^[\w-]{38}$/)
      expect(sessionOfToken(key, token)).toBe(id)
      expect(sessionOfToken(newKey(), token)).toBeNull()
    }),
  )
})

test('is the id and 96 bits of its HMAC, by a key of its own that HKDF derives', () => {
  const id = randomUUID()
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  const derived = hkdfSync('sha256', Buffer.from(key.reveal(), 'base64'), '', 'cowry/checkout/v1', 32)
  const mac = createHmac('sha256', Buffer.from(derived)).update(bytes).digest().subarray(0, 12)
  expect(checkoutToken(key, id)).toBe(Buffer.concat([bytes, mac]).toString('base64url'))
})

test('no changed token is taken: each character counts, and so do length and alphabet', () => {
  const token = checkoutToken(key, randomUUID())
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let at = 0; at < token.length; at++)
    for (const letter of alphabet) {
      if (letter === token[at]) continue
      expect(sessionOfToken(key, token.slice(0, at) + letter + token.slice(at + 1))).toBeNull()
    }
  for (const wrong of ['', token.slice(1), `${token}A`, `${token}=`, token.replace(/.$/, '+'), randomUUID()])
    expect(sessionOfToken(key, wrong)).toBeNull()
})

test('while the key of the application is rolled, links of before lead to their sessions', () => {
  const [before, after] = [newKey(), newKey()]
  const id = randomUUID()
  const rolled = new AppKey(after, before)
  expect(sessionOfToken(rolled, checkoutToken(before, id))).toBe(id)
  expect(sessionOfToken(rolled, checkoutToken(rolled, id))).toBe(id)
  expect(checkoutToken(rolled, id)).toBe(checkoutToken(after, id))
})

test('the URL has one slash between the base and its path', () => {
  const id = randomUUID()
  for (const base of ['https://pay.example.com', 'https://pay.example.com/'])
    expect(checkoutUrls(key, base)(id)).toBe(`https://pay.example.com/checkout/${checkoutToken(key, id)}`)
})
