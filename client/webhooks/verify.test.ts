import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { eventExamples } from '../contract/eventExamples.ts'
import { verifyWebhook, WebhookVerificationError } from './verify.ts'

const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
const body = JSON.stringify(eventExamples['session.paid'][0])
const at = 1_795_183_051_000
const now = () => at

function headersOf(text: string, sentAt = at, key = secret) {
  const signature = new Webhook(key).sign('msg_1', new Date(sentAt), text)
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sentAt / 1000)),
    'webhook-signature': signature,
  }
}

const refused = (code: string) => expect.objectContaining({ name: 'WebhookVerificationError', code })

describe('verifyWebhook with a secret', () => {
  test('accepts signatures of the standardwebhooks package, and returns the event', async () => {
    const event = await verifyWebhook(secret, headersOf(body), body, { now })
    expect(event).toEqual(eventExamples['session.paid'][0])
  })

  test('accepts bytes and text, headers of Node in any case and those of a Request', async () => {
    const headers = headersOf(body)
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    for (const each of [headers, shouted, new Headers(headers)]) {
      for (const given of [body, Buffer.from(body)])
        expect((await verifyWebhook(secret, each, given, { now })).type).toBe('session.paid')
    }
  })

  test('accepts a list of signatures of which any one is valid', async () => {
    const headers = headersOf(body)
    const others = `v1,${Buffer.alloc(32).toString('base64')} v1a,AAAA v1,not-base64! nonsense`
    await expect(
      verifyWebhook(
        secret,
        { ...headers, 'webhook-signature': `${others} ${headers['webhook-signature']}` },
        body,
        { now },
      ),
    ).resolves.toBeDefined()
    await expect(
      verifyWebhook(secret, { ...headers, 'webhook-signature': others }, body, { now }),
    ).rejects.toEqual(refused('signature_mismatch'))
  })

  test('refuses a body with any changed byte', async () => {
    const headers = headersOf(body)
    const place = fc.record({
      index: fc.nat(Buffer.byteLength(body) - 1),
      flip: fc.integer({ min: 1, max: 255 }),
    })
    await fc.assert(
      fc.asyncProperty(place, async ({ index, flip }) => {
        const changed = Buffer.from(body)
        changed[index] = (changed[index] ?? 0) ^ flip
        await expect(verifyWebhook(secret, headers, changed, { now })).rejects.toEqual(
          refused('signature_mismatch'),
        )
      }),
    )
  })

  test('refuses another id, another time, another key, another scheme', async () => {
    const headers = headersOf(body)
    const mismatch = refused('signature_mismatch')
    await expect(verifyWebhook(secret, { ...headers, 'webhook-id': 'msg_2' }, body, { now })).rejects.toEqual(
      mismatch,
    )
    await expect(
      verifyWebhook(secret, { ...headers, 'webhook-timestamp': String(at / 1000 + 1) }, body, { now }),
    ).rejects.toEqual(mismatch)
    await expect(
      verifyWebhook(secret, headersOf(body, at, `whsec_${Buffer.alloc(32).toString('base64')}`), body, {
        now,
      }),
    ).rejects.toEqual(mismatch)
    const renamed = headers['webhook-signature'].replace('v1,', 'v2,')
    await expect(
      verifyWebhook(secret, { ...headers, 'webhook-signature': renamed }, body, { now }),
    ).rejects.toEqual(mismatch)
  })

  test('refuses a time outside the tolerance, in both directions', async () => {
    const wrong = refused('timestamp_out_of_tolerance')
    for (const off of [-301_000, 301_000])
      await expect(verifyWebhook(secret, headersOf(body, at + off), body, { now })).rejects.toEqual(wrong)
    for (const off of [-300_000, 300_000])
      await expect(verifyWebhook(secret, headersOf(body, at + off), body, { now })).resolves.toBeDefined()
    await expect(
      verifyWebhook(secret, headersOf(body, at - 11_000), body, { now, toleranceSeconds: 10 }),
    ).rejects.toEqual(wrong)
    for (const invalid of ['NaN', '-1', '1e9', '0x10', 'Infinity', ' '])
      await expect(
        verifyWebhook(secret, { ...headersOf(body), 'webhook-timestamp': invalid }, body, { now }),
      ).rejects.toEqual(wrong)
  })

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'names %s when it is missing',
    async (name) => {
      const headers: Record<string, string> = headersOf(body)
      delete headers[name]
      const failure = await verifyWebhook(secret, headers, body, { now }).catch((error) => error)
      expect(failure).toBeInstanceOf(WebhookVerificationError)
      expect(failure).toMatchObject({ code: 'header_missing', message: `${name} is missing` })
    },
  )

  test('an invalid key is a TypeError that does not contain it', async () => {
    for (const key of ['', 'whsec_', 'whsec_$$$', 'sk_live_c2VjcmV0', 'whpk_c2VjcmV0']) {
      const failure = await verifyWebhook(key, headersOf(body), body, { now }).catch((error) => error)
      expect(failure).toBeInstanceOf(TypeError)
      expect(String(failure)).not.toMatch(/c2VjcmV0|\$\$\$/)
    }
  })
})

describe('verifyWebhook with a public key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')}`
  const signedBy = (text: string) =>
    `v1a,${sign(null, Buffer.from(`msg_1.${at / 1000}.${text}`), privateKey).toString('base64')}`

  test('accepts only signatures of the private key, made with node:crypto', async () => {
    const headers = { ...headersOf(body), 'webhook-signature': signedBy(body) }
    await expect(verifyWebhook(key, headers, body, { now })).resolves.toEqual(
      eventExamples['session.paid'][0],
    )
    await expect(verifyWebhook(key, headers, `${body} `, { now })).rejects.toEqual(
      refused('signature_mismatch'),
    )
    await expect(verifyWebhook(key, headersOf(body), body, { now })).rejects.toEqual(
      refused('signature_mismatch'),
    )
  })

  test('a secret does not accept its signatures', async () => {
    await expect(
      verifyWebhook(secret, { ...headersOf(body), 'webhook-signature': signedBy(body) }, body, { now }),
    ).rejects.toEqual(refused('signature_mismatch'))
  })
})
