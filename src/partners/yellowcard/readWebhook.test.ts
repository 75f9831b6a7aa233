import { describe, expect, test } from '@jest/globals'
import { Secret } from '../../platform/secrets.ts'
import type { YellowCardAccount } from './account.ts'
import { readWebhook } from './readWebhook.ts'

const apiKey = '513fc4c3aaeb2a8f292a740ea178d830'
const account: YellowCardAccount = {
  url: 'http://127.0.0.1:1',
  apiKey,
  secretKey: new Secret('partner-secret'),
}
// The example of docs.yellowcard.engineering/docs/webhooks-api, of a payment.
const body =
  '{"id":"00e97bc4-1429-4ce7-acb5-841f9d9ed059","sequenceId":"1a051f68-5c55-44c8-b4a0-366800daaf19","status":"complete","apiKey":"513fc4c3aaeb2a8f292a740ea178d830","event":"PAYMENT.COMPLETE","sessionId":"a4cf97cd-8f1a-4e38-842b-e9597affb199","executedAt":"2023-02-20T14:25:30.459Z"}'
// printf %s "$BODY" | openssl dgst -sha256 -hmac partner-secret -binary | base64
const signature = 'UsGOorDHZ7PLb7fPSripyMI3QFlOvPHAxWDyu2qsXiM='
const read = (text: string, signed: string | undefined = signature, of = account) =>
  readWebhook(of, { rawBody: Buffer.from(text), signature: signed })

/** Signed with the right secret, by other code than `readWebhook`. */
async function signed(text: string): Promise<string> {
  const key = await crypto.subtle.importKey(
    'raw',
    Buffer.from('partner-secret'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return Buffer.from(await crypto.subtle.sign('HMAC', key, Buffer.from(text))).toString('base64')
}

test('a webhook signed with our secret names its payment', () => {
  expect(read(body)).toEqual({
    genuine: true,
    paymentId: '00e97bc4-1429-4ce7-acb5-841f9d9ed059',
    collectionId: null,
  })
})

describe('is not genuine:', () => {
  test.each([
    ['another status', body.replace('complete', 'failed'), signature],
    [
      'another order of the same fields',
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse())),
      signature,
    ],
    ['another white space', body.replace(',', ', '), signature],
    ['an empty body', '', signature],
    ['no signature', body, ''],
    ['the signature in another case', body, signature.toLowerCase()],
    ['the signature without its padding', body, signature.slice(0, -1)],
    ['the signature in hexadecimal', body, Buffer.from(signature, 'base64').toString('hex')],
  ])('%s', (_what, text, given) => {
    expect(read(text, given)).toEqual({ genuine: false })
  })

  test('a missing header', () => {
    expect(readWebhook(account, { rawBody: Buffer.from(body), signature: undefined })).toEqual({
      genuine: false,
    })
  })

  test('another secret', () => {
    expect(read(body, signature, { ...account, secretKey: new Secret('other') })).toEqual({ genuine: false })
  })

  test.each([
    ['of another key', body.replace(apiKey, '613fc4c3aaeb2a8f292a740ea178d830')],
    ['without a key', body.replace(`"apiKey":"${apiKey}",`, '')],
    ['with a key that is no text', body.replace(`"${apiKey}"`, '["513fc4c3aaeb2a8f292a740ea178d830"]')],
    ['that is not JSON', `${body}}`],
    ['that is null', 'null'],
  ])('a body %s, signed with our secret', async (_what, text) => {
    expect(read(text, await signed(text))).toEqual({ genuine: false })
  })
})

test.each([
  ['PAYMENT.FAILED', 'paymentId'],
  ['SEND.COMPLETE', 'paymentId'],
  ['COLLECTION.COMPLETE', 'collectionId'],
  ['COLLECTION.PENDING_REFUND', 'collectionId'],
  ['RECEIVE.COMPLETE', 'collectionId'],
  ['CRYPTO_RECEIVE.COMPLETE', null],
  ['CRYPTO_SEND.COMPLETE', null],
  ['CONVERT.COMPLETE', null],
  ['SETTLEMENT.COMPLETE', null],
])('an event %s has a %s', async (event, named) => {
  const text = body.replace('PAYMENT.COMPLETE', event)
  const ids = {
    paymentId: null,
    collectionId: null,
    ...(named && { [named]: '00e97bc4-1429-4ce7-acb5-841f9d9ed059' }),
  }
  expect(read(text, await signed(text))).toEqual({ genuine: true, ...ids })
})

test('the documented webhook of a collection names it', () => {
  // The newer example of docs/webhooks-api, and its signature as above.
  const failed =
    '{"id":"00e97bc4-1429-4ce7-acb5-841f9d9ed059","sequenceId":"1a051f68-5c55-44c8-b4a0-366800daaf19","status":"failed","apiKey":"513fc4c3aaeb2a8f292a740ea178d830","event":"RECEIVE.FAILED","errorCode":"REFUSED","sessionId":"a4cf97cd-8f1a-4e38-842b-e9597affb199","executedAt":"2023-02-20T14:25:30.459Z"}'
  const collectionId = '00e97bc4-1429-4ce7-acb5-841f9d9ed059'
  expect(read(failed, 'dLZnywo4E84Q2l4T/IdRKbj8ZYI4WQ4Oce8FIFsMGnM=')).toEqual({
    genuine: true,
    paymentId: null,
    collectionId,
  })
})

test.each(['PAYMENT', 'COLLECTION'])(
  'an id that does not fit into a path concerns nothing: %s',
  async (kind) => {
    for (const id of ['"../account"', '""', '5', 'null', '"a/b"', '".."']) {
      const text = body.replace('"00e97bc4-1429-4ce7-acb5-841f9d9ed059"', id).replace('PAYMENT.', `${kind}.`)
      expect([id, read(text, await signed(text))]).toEqual([
        id,
        { genuine: true, paymentId: null, collectionId: null },
      ])
    }
  },
)
