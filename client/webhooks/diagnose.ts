import { fromBase64, toBase64, utf8 } from './keys.ts'
import { faultyHmac, headersOf } from './send.ts'
import type { Target } from './target.ts'

const parts = [
  'Check each part of the signing:',
  'the secret is the one of this endpoint;',
  'the key is the part after `whsec_`, decoded from base64 (for ed25519 the public key `whpk_…`, decoded in the same way);',
  'the signed text is `webhook-id.webhook-timestamp.body`, joined with points;',
  'the body is the received bytes, not JSON that was parsed and serialized again;',
  '`webhook-signature` is a list, separated by spaces, each with its scheme and a comma: `v1,…`;',
  'the part after the comma is base64, not hex;',
  "`webhook-timestamp` is in seconds, and the receiver's clock is right.",
].join(' ')

/**
 * Finds out why a receiver refuses a genuine message: sends signatures of common mistakes, and names the one
 * that it accepts.
 */
export async function diagnoseRefusal(target: Target): Promise<string> {
  if (target.signer.scheme !== 'v1') return parts
  const text = target.key.slice('whsec_'.length)
  const key = fromBase64(text) ?? utf8(text)
  const hex = (bytes: ArrayBuffer) =>
    [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const whole = (id: string, timestamp: number, body: string) => `${id}.${timestamp}.${body}`
  const commonMistakes: {
    key: Uint8Array<ArrayBuffer>
    signed: typeof whole
    written: (bytes: ArrayBuffer) => string
    fix: string
  }[] = [
    {
      key: utf8(target.key),
      signed: whole,
      written: v1,
      fix: 'Its key is the text of the secret. Remove `whsec_` and decode the rest from base64.',
    },
    {
      key: utf8(text),
      signed: whole,
      written: v1,
      fix: 'Its key is the text after `whsec_`. Decode it from base64.',
    },
    {
      key,
      signed: (_id, _timestamp, body) => body,
      written: v1,
      fix: 'It signs the body alone. Sign `webhook-id.webhook-timestamp.body`.',
    },
    {
      key,
      signed: (_id, timestamp, body) => `${timestamp}.${body}`,
      written: v1,
      fix: 'It omits webhook-id from the signed text. Sign `webhook-id.webhook-timestamp.body`.',
    },
    {
      key,
      signed: whole,
      written: (bytes) => `v1,${hex(bytes)}`,
      fix: 'It compares with the signature in hex. Cowry sends base64.',
    },
    {
      key,
      signed: whole,
      written: toBase64,
      fix: 'It compares with all of webhook-signature. Split it at spaces, and remove `v1,` from each part.',
    },
  ]
  for (const { key, signed, written, fix } of commonMistakes) {
    const message = await target.message(JSON.stringify(target.event()))
    const signature = written(await faultyHmac(key, signed(message.id, message.timestamp, message.body)))
    const { status } = await target.post({ ...message, signature }, headersOf({ ...message, signature }))
    if (status !== null && status >= 200 && status < 300) return fix
  }
  return parts
}

const v1 = (bytes: ArrayBuffer): string => `v1,${toBase64(bytes)}`
