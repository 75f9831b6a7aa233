import type { CowryEvent } from '../contract/events.ts'
import { fromBase64, importKey, utf8 } from './keys.ts'

export type WebhookFault = 'header_missing' | 'timestamp_out_of_tolerance' | 'signature_mismatch'

/** The request does not come from Cowry, or not now: answer 400 or 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookFault
  constructor(code: WebhookFault, message: string) {
    super(message)
    this.code = code
  }
}

/** As Node has them, or those of a `Request`. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>

export interface VerifyOptions {
  /** How far the time of the attempt may be off, either way; 300 by default. */
  toleranceSeconds?: number | undefined
  /** Now in milliseconds, for tests. */
  now?: (() => number) | undefined
}

/**
 * Makes sure that a webhook is genuine, by Standard Webhooks, and answers its event. What is signed is the body as it came: give it unparsed.
 * @param key `whsec_…` of an endpoint that signs with `hmac`, `whpk_…` of one that signs with `ed25519`
 * @returns of a type that this client may not know yet: leave a `default` to what you do by `type`
 * @throws WebhookVerificationError; TypeError for a key that is none
 */
export async function verifyWebhook(
  key: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<CowryEvent> {
  const { scheme, algorithm, key: imported } = await importKey(key)
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  // An old one may be a recording that somebody sends again.
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError('timestamp_out_of_tolerance', 'webhook-timestamp is too far from now')
  const signed = Uint8Array.from([...utf8(`${id}.${timestamp}.`), ...(typeof body === 'string' ? utf8(body) : body)])
  for (const part of signatures.split(' ')) {
    const comma = part.indexOf(',')
    const signature = part.slice(0, comma) === scheme ? fromBase64(part.slice(comma + 1)) : null
    if (signature && (await crypto.subtle.verify(algorithm, imported, signature, signed)))
      return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  }
  throw new WebhookVerificationError('signature_mismatch', `no ${scheme} signature in webhook-signature is of this body and this key`)
}

function header(headers: WebhookHeaders, name: string): string {
  const value = isGetter(headers) ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError('header_missing', `${name} is missing`)
  return value
}

const isGetter = (headers: WebhookHeaders): headers is { get(name: string): string | null } => typeof headers.get === 'function'
