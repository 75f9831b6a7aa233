import { fromBase64, toBase64, utf8 } from './keys.ts'
import { hastyHmac, headersOf } from './send.ts'
import type { Target } from './target.ts'

const parts = [
  'Look at each part of the signing:',
  'the secret is the one of this endpoint;',
  'the key is what follows `whsec_`, decoded from base64 (for ed25519 the public key `whpk_…`, decoded in the same way);',
  'signed is `webhook-id.webhook-timestamp.body` with points between them;',
  'the body is what came, byte for byte, not JSON that was parsed and written again;',
  '`webhook-signature` is a list with spaces between, each with its scheme and a comma: `v1,…`;',
  'what follows the comma is base64, not hex;',
  '`webhook-timestamp` is in seconds, and the clock of the receiver is right.',
].join(' ')

/** Why a receiver refuses a genuine message: tries what hasty receivers compute, and names what it takes. */
export async function diagnoseRefusal(target: Target): Promise<string> {
  if (target.signer.scheme !== 'v1') return parts
  const text = target.key.slice('whsec_'.length)
  const key = fromBase64(text) ?? utf8(text)
  const hex = (bytes: ArrayBuffer) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const whole = (id: string, timestamp: number, body: string) => `${id}.${timestamp}.${body}`
  const hasty: { key: Uint8Array<ArrayBuffer>; signed: typeof whole; written: (bytes: ArrayBuffer) => string; mend: string }[] = [
    {
      key: utf8(target.key),
      signed: whole,
      written: v1,
      mend: 'Its key is the text of the secret. Take `whsec_` off and decode the rest from base64.',
    },
    { key: utf8(text), signed: whole, written: v1, mend: 'Its key is the text after `whsec_`. Decode it from base64.' },
    { key, signed: (_id, _timestamp, body) => body, written: v1, mend: 'It signs the body alone. Sign `webhook-id.webhook-timestamp.body`.' },
    {
      key,
      signed: (_id, timestamp, body) => `${timestamp}.${body}`,
      written: v1,
      mend: 'It leaves webhook-id out of what is signed. Sign `webhook-id.webhook-timestamp.body`.',
    },
    { key, signed: whole, written: (bytes) => `v1,${hex(bytes)}`, mend: 'It compares with the signature in hex. Cowry writes it in base64.' },
    { key, signed: whole, written: toBase64, mend: 'It compares with all of webhook-signature. Split it at spaces, and take `v1,` off each part.' },
  ]
  for (const { key, signed, written, mend } of hasty) {
    const message = await target.message(JSON.stringify(target.event()))
    const signature = written(await hastyHmac(key, signed(message.id, message.timestamp, message.body)))
    const { status } = await target.post({ ...message, signature }, headersOf({ ...message, signature }))
    if (status !== null && status >= 200 && status < 300) return mend
  }
  return parts
}

const v1 = (bytes: ArrayBuffer): string => `v1,${toBase64(bytes)}`
