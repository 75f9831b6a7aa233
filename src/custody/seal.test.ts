import { webcrypto } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Secret } from '../platform/secrets.ts'
import { open, seal } from './seal.ts'

const bytes = (options: { minLength: number; maxLength: number }) => fc.uint8Array(options)
const keys = bytes({ minLength: 32, maxLength: 32 }).map((key) => new Secret<Uint8Array>(key))
const plains = bytes({ minLength: 0, maxLength: 200 })
const contexts = fc.string({ maxLength: 50 })

describe('sealed bytes', () => {
  test('open with their key and context to the original', () => {
    fc.assert(
      fc.property(keys, plains, contexts, (key, plain, context) =>
        expect(Buffer.from(plain).equals(open(key, seal(key, plain, context), context))).toBe(true),
      ),
    )
  })

  test('are AES-256-GCM with a 12-byte nonce before and a 16-byte tag after, as another implementation reads it', async () => {
    await fc.assert(
      fc.asyncProperty(keys, plains, contexts, async (key, plain, context) => {
        const sealed = seal(key, plain, context)
        expect(sealed).toHaveLength(12 + plain.length + 16)
        const raw = await webcrypto.subtle.importKey('raw', Buffer.from(key.reveal()), 'AES-GCM', false, [
          'decrypt',
        ])
        const opened = await webcrypto.subtle.decrypt(
          {
            name: 'AES-GCM',
            iv: Buffer.from(sealed.subarray(0, 12)),
            additionalData: Buffer.from(context),
            tagLength: 128,
          },
          raw,
          Buffer.from(sealed.subarray(12)),
        )
        expect(Buffer.from(opened).equals(plain)).toBe(true)
      }),
    )
  })

  test('differ every time, and do not contain the original', () => {
    const key = new Secret<Uint8Array>(Buffer.alloc(32, 1))
    const plain = Buffer.from('correct horse battery staple')
    const sealed = Array.from({ length: 200 }, () => seal(key, plain, 'context').toString('hex'))
    expect(new Set(sealed.map((each) => each.slice(0, 24))).size).toBe(200)
    expect(sealed.filter((each) => each.includes(plain.toString('hex').slice(0, 16)))).toEqual([])
  })
})

describe('opening fails', () => {
  test('when any single bit was flipped', () => {
    fc.assert(
      fc.property(keys, plains, contexts, fc.nat(), (key, plain, context, any) => {
        const sealed = seal(key, plain, context)
        const bit = any % (sealed.length * 8)
        sealed[bit >> 3] = (sealed[bit >> 3] as number) ^ (1 << (bit & 7))
        expect(() => open(key, sealed, context)).toThrow()
      }),
      { numRuns: 500 },
    )
    // Each bit of one message.
    const key = new Secret<Uint8Array>(Buffer.alloc(32, 1))
    const sealed = seal(key, Buffer.from('32 bytes of entropy, more or less'), 'context')
    const opened = Array.from({ length: sealed.length * 8 }, (_, bit) => {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      try {
        return open(key, changed, 'context')
      } catch {
        return null
      }
    })
    expect(opened.filter((each) => each !== null)).toEqual([])
  })

  test('under another context', () => {
    fc.assert(
      fc.property(keys, plains, contexts, contexts, (key, plain, context, other) => {
        fc.pre(!Buffer.from(context).equals(Buffer.from(other)))
        expect(() => open(key, seal(key, plain, context), other)).toThrow()
      }),
    )
  })

  test('under another key', () => {
    fc.assert(
      fc.property(keys, keys, plains, contexts, (key, other, plain, context) => {
        fc.pre(!Buffer.from(key.reveal()).equals(Buffer.from(other.reveal())))
        expect(() => open(other, seal(key, plain, context), context)).toThrow()
      }),
    )
  })

  test('when cut short anywhere, or extended', () => {
    const key = new Secret<Uint8Array>(Buffer.alloc(32, 1))
    const sealed = seal(key, Buffer.from('some bytes'), 'context')
    for (let length = 0; length < sealed.length; length++)
      expect(() => open(key, sealed.subarray(0, length), 'context')).toThrow()
    expect(() => open(key, Buffer.concat([sealed, Buffer.alloc(1)]), 'context')).toThrow()
    expect(() => open(key, Buffer.concat([Buffer.alloc(1), sealed]), 'context')).toThrow()
  })

  test('when nonce, text and tag of two messages are mixed', () => {
    const key = new Secret<Uint8Array>(Buffer.alloc(32, 1))
    const [a, b] = [seal(key, Buffer.from('aaaa'), 'context'), seal(key, Buffer.from('bbbb'), 'context')]
    for (const cut of [12, 16])
      expect(() => open(key, Buffer.concat([a.subarray(0, cut), b.subarray(cut)]), 'context')).toThrow()
  })

  test('as does sealing, with a key that is not 32 bytes', () => {
    for (const length of [0, 16, 24, 31, 33]) {
      const key = new Secret<Uint8Array>(Buffer.alloc(length))
      expect(() => seal(key, Buffer.from('x'), 'context')).toThrow()
    }
  })
})
