import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Secret } from '../platform/secrets.ts'
import { generateWebhookSecret, openWebhookSecret, sealWebhookSecret } from './secret.ts'

const key = new Secret(Buffer.alloc(32, 1).toString('base64'))
const otherKey = new Secret(Buffer.alloc(32, 2).toString('base64'))

describe('a webhook secret', () => {
  test('has the form of Standard Webhooks, with 32 random bytes', () => {
    const secrets = Array.from({ length: 100 }, () => generateWebhookSecret().reveal())
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    }
    expect(new Set(secrets).size).toBe(100)
  })

  test('opens for its endpoint as it was sealed', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), (endpointId, text) => {
        expect(
          openWebhookSecret(key, endpointId, sealWebhookSecret(key, endpointId, new Secret(text))).reveal(),
        ).toBe(text)
      }),
    )
  })

  test('does not open for another endpoint: rows cannot be swapped', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        fc.pre(one !== other)
        const sealed = sealWebhookSecret(key, one, generateWebhookSecret())
        expect(() => openWebhookSecret(key, other, sealed)).toThrow()
      }),
    )
  })

  test('does not open with another key', () => {
    const sealed = sealWebhookSecret(key, 'endpoint', generateWebhookSecret())
    expect(() => openWebhookSecret(otherKey, 'endpoint', sealed)).toThrow()
  })

  test('is not contained in its stored form, which differs each time', () => {
    const secret = generateWebhookSecret()
    const [one, two] = [
      sealWebhookSecret(key, 'endpoint', secret),
      sealWebhookSecret(key, 'endpoint', secret),
    ]
    expect(one.includes(secret.reveal().slice(6, 20))).toBe(false)
    expect(one.equals(two)).toBe(false)
  })
})
