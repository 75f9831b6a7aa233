import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Secret } from '../platform/secrets.ts'
import { openEnvelope, sealEnvelope } from './envelope.ts'
import { envKeyProvider } from './keyProvider.ts'

const provider = envKeyProvider(new Secret(Buffer.alloc(32, 1).toString('base64')))
const other = envKeyProvider(new Secret(Buffer.alloc(32, 2).toString('base64')))
const plain = new Secret<Uint8Array>(Buffer.from('entropy of a seed, 32 bytes long'))

describe('an envelope', () => {
  test('opens with its provider and context to the sealed bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), fc.string(), async (bytes, context) => {
        const envelope = await sealEnvelope(provider, new Secret<Uint8Array>(bytes), context)
        expect(Buffer.from((await openEnvelope(provider, envelope, context)).reveal()).equals(bytes)).toBe(
          true,
        )
      }),
    )
  })

  test('has a new data key each time, which it does not contain', async () => {
    const wrapped: Buffer[] = []
    let dataKey: Uint8Array = new Uint8Array()
    const watched = {
      ...provider,
      wrap: async (key: Secret<Uint8Array>, context: string) => {
        dataKey = key.reveal()
        wrapped.push(Buffer.from(dataKey))
        return provider.wrap(key, context)
      },
    }
    for (let i = 0; i < 10; i++) {
      const { wrappedKey, sealed } = await sealEnvelope(watched, plain, 'context')
      expect(Buffer.concat([wrappedKey, sealed]).includes(Buffer.from(dataKey))).toBe(false)
      expect(Buffer.concat([wrappedKey, sealed]).includes(Buffer.from(plain.reveal()))).toBe(false)
    }
    expect(new Set(wrapped.map((key) => key.toString('hex'))).size).toBe(10)
    expect(wrapped.every((key) => key.length === 32)).toBe(true)
  })

  test('opens neither with another key, nor under another context, nor with parts of another envelope', async () => {
    const [one, two] = [
      await sealEnvelope(provider, plain, 'context'),
      await sealEnvelope(provider, plain, 'context'),
    ]
    await expect(openEnvelope(other, one, 'context')).rejects.toThrow()
    await expect(openEnvelope(provider, one, 'another context')).rejects.toThrow()
    await expect(openEnvelope(provider, { ...one, sealed: two.sealed }, 'context')).rejects.toThrow()
    await expect(openEnvelope(provider, { ...one, wrappedKey: two.wrappedKey }, 'context')).rejects.toThrow()
  })
})
