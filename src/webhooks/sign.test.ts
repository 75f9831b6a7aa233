import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { Secret } from '../platform/secrets.ts'
import { generateWebhookSecret, publicKeyOf } from './secret.ts'
import { signatureHeaders } from './sign.ts'

const secret = generateWebhookSecret()
const other = generateWebhookSecret()
const id = '0190a000-0000-7000-8000-000000000001'
const body = '{"type":"session.paid","timestamp":"2026-01-01T00:00:00.000Z","data":{"label":"Café №4"}}'

describe('a signed event', () => {
  test('verifies with the public package, for any content', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), fc.json(), (eventId, json) => {
        const headers = signatureHeaders(secret, eventId, new Date(), json)
        expect(new Webhook(secret.reveal()).verify(json, headers)).toEqual(JSON.parse(json))
      }),
    )
  })

  test('has exactly the signature that the public package makes', () => {
    const at = new Date('2026-01-01T00:00:00.999Z')
    const headers = signatureHeaders(secret, id, at, body)
    expect(headers).toEqual({
      'webhook-id': id,
      'webhook-timestamp': '1767225600',
      'webhook-signature': new Webhook(secret.reveal()).sign(id, at, body),
    })
  })

  test('gives the signature of the published example', () => {
    // github.com/standard-webhooks: libraries/javascript/src/index.test.ts
    const published = new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    const headers = signatureHeaders(
      published,
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      new Date(1_614_265_330_000),
      '{"test": 2432232314}',
    )
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('is refused with another secret', () => {
    const headers = signatureHeaders(secret, id, new Date(), body)
    expect(() => new Webhook(other.reveal()).verify(body, headers)).toThrow(WebhookVerificationError)
  })

  test.each(['webhook-id', 'webhook-timestamp', 'body'])('is refused if its %s was changed', (part) => {
    const headers = signatureHeaders(secret, id, new Date(), body)
    const now = Number(headers['webhook-timestamp'])
    const changed = {
      'webhook-id': { 'webhook-id': `${id}0` },
      'webhook-timestamp': { 'webhook-timestamp': String(now - 1) },
      body: {},
    }[part]
    expect(() =>
      new Webhook(secret.reveal()).verify(part === 'body' ? `${body} ` : body, { ...headers, ...changed }),
    ).toThrow(WebhookVerificationError)
  })

  test('is refused if repeated after more than five minutes, though its signature is right', () => {
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const verify = (at: Date) =>
      new Webhook(secret.reveal()).verify(body, signatureHeaders(secret, id, at, body))
    expect(() => verify(minutesAgo(6))).toThrow('too old')
    expect(() => verify(minutesAgo(4))).not.toThrow()
  })
})

/** Verifies like a receiver with only the public key: RFC 8410's encoding around its 32 bytes. */
function verifiesWith(publicKey: string | null, headers: Record<string, string>, signed: string): boolean {
  const raw = Buffer.from((publicKey ?? '').replace(/^whpk_/, ''), 'base64')
  const key = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]),
    format: 'der',
    type: 'spki',
  })
  const text = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${signed}`)
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((each) => each.startsWith('v1a,'))
  return signatures.some((each) => verify(null, text, key, Buffer.from(each.slice(4), 'base64')))
}

describe('an event signed with ed25519', () => {
  const [key, otherKey] = [generateWebhookSecret('ed25519'), generateWebhookSecret('ed25519')]

  test('verifies with its public key in node:crypto, for any content, and with no other key', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), fc.json(), (eventId, json) => {
        const headers = signatureHeaders(key, eventId, new Date(), json)
        expect(headers['webhook-signature']).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/)
        expect(verifiesWith(publicKeyOf(key), headers, json)).toBe(true)
        expect(verifiesWith(publicKeyOf(otherKey), headers, json)).toBe(false)
        expect(verifiesWith(publicKeyOf(key), headers, `${json} `)).toBe(false)
      }),
      { numRuns: 30 },
    )
  })

  test('gives the key and the signature of RFC 8032', () => {
    // Section 7.1, test 1: the public key of a known seed.
    const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
    const known = new Secret(`whsk_${Buffer.from(seed, 'hex').toString('base64')}`)
    const published = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
    expect(publicKeyOf(known)).toBe(`whpk_${Buffer.from(published, 'hex').toString('base64')}`)
    expect(publicKeyOf(secret)).toBeNull()
  })
})

describe('while a rotation overlaps', () => {
  test('an HMAC verifies with either secret, by both public packages', () => {
    const now = new Date()
    const headers = signatureHeaders(other, id, now, body, secret)
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
    for (const each of [secret, other]) {
      expect(new Webhook(each.reveal()).verify(body, headers)).toEqual(JSON.parse(body))
      expect(new SvixWebhook(each.reveal()).verify(body, headers)).toEqual(JSON.parse(body))
    }
    expect(() => new SvixWebhook(generateWebhookSecret().reveal()).verify(body, headers)).toThrow()
    expect(headers['webhook-signature']?.split(' ')[0]).toBe(
      signatureHeaders(other, id, now, body)['webhook-signature'],
    )
  })

  test('an ed25519 signature verifies with either public key', () => {
    const [before, after] = [generateWebhookSecret('ed25519'), generateWebhookSecret('ed25519')]
    const headers = signatureHeaders(after, id, new Date(), body, before)
    for (const each of [before, after]) expect(verifiesWith(publicKeyOf(each), headers, body)).toBe(true)
  })
})
