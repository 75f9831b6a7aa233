import { createHmac } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { Secret } from './secrets.ts'
import { subkeyOf } from './subkeys.ts'

const key = new Secret(Buffer.alloc(32, 7).toString('base64'))

test('each purpose has a key of its own, which is neither another one nor the key', () => {
  const keys = [
    subkeyOf(key, 'seal'),
    subkeyOf(key, 'device-cookie'),
    subkeyOf(key, 'quote'),
    Buffer.alloc(32, 7),
  ]
  expect(new Set(keys.map((each) => each.toString('hex'))).size).toBe(4)
  expect(subkeyOf(new Secret(key.reveal()), 'seal')).toEqual(keys[0])
})

test('a key is derived as in RFC 5869', () => {
  const mac = (by: Buffer, ...parts: (string | Buffer)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHmac('sha256', by)).digest()
  const extracted = mac(Buffer.alloc(32), Buffer.alloc(32, 7))
  expect(subkeyOf(key, 'quote')).toEqual(mac(extracted, 'cowry/quote/v1', Buffer.of(1)))
})
