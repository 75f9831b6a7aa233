import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { Secret } from '../platform/secrets.ts'
import { generateWebhookSecret } from './secret.ts'
import { signatureHeaders } from './sign.ts'

const secret = generateWebhookSecret()
const other = generateWebhookSecret()
const id = '0190a000-0000-7000-8000-000000000001'
const body = '{"type":"session.paid","timestamp":"2026-01-01T00:00:00.000Z","data":{"label":"Café №4"}}'

describe('a signed event', () => {
  test('verifies with the public package, whatever is in the event', () => {
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
    const headers = signatureHeaders(published, 'msg_p5jXN8AQM9LWM0D4loKWxJek', new Date(1_614_265_330_000), '{"test": 2432232314}')
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('is refused under another secret', () => {
    const headers = signatureHeaders(secret, id, new Date(), body)
    expect(() => new Webhook(other.reveal()).verify(body, headers)).toThrow(WebhookVerificationError)
  })

  test.each(['webhook-id', 'webhook-timestamp', 'body'])('is refused when its %s was changed', (part) => {
    const headers = signatureHeaders(secret, id, new Date(), body)
    const now = Number(headers['webhook-timestamp'])
    const changed = { 'webhook-id': { 'webhook-id': `${id}0` }, 'webhook-timestamp': { 'webhook-timestamp': String(now - 1) }, body: {} }[part]
    expect(() => new Webhook(secret.reveal()).verify(part === 'body' ? `${body} ` : body, { ...headers, ...changed })).toThrow(
      WebhookVerificationError,
    )
  })

  test('is refused when it is repeated after more than five minutes, though its signature is right', () => {
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const verify = (at: Date) => new Webhook(secret.reveal()).verify(body, signatureHeaders(secret, id, at, body))
    expect(() => verify(minutesAgo(6))).toThrow('too old')
    expect(() => verify(minutesAgo(4))).not.toThrow()
  })
})
