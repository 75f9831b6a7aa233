import type { CowryEvent } from '../contract/events.ts'
import { fromBase64, importKey, utf8 } from './keys.ts'

export type WebhookFault = 'header_missing' | 'timestamp_out_of_tolerance' | 'signature_mismatch'

/** The request is not from Cowry, or not recent: answer 400 or 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookFault
  constructor(code: WebhookFault, message: string) {
    super(message)
    this.code = code
  }
}

/** Node's headers, or those of a `Request`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | string[] | undefined>

export interface VerifyOptions {
  /** Tolerance of the attempt's time, in both directions; 300 by default. */
  toleranceSeconds?: number | undefined
  /** The current time in milliseconds, for tests. */
  now?: (() => number) | undefined
}

/**
 * Verifies a webhook by Standard Webhooks and returns its event. The signature covers the body as received:
 * pass it unparsed.
 * @param key `whsec_…` of an endpoint that signs with `hmac`, `whpk_…` of one that signs with `ed25519`
 * @returns an event, perhaps of a type that this client does not know: handle `default` in a switch on `type`
 * @throws WebhookVerificationError; TypeError for an invalid key
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
  // An old event may be a recording that is sent again.
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      'webhook-timestamp is too far from the current time',
    )
  const signed = Uint8Array.from([
    ...utf8(`${id}.${timestamp}.`),
    ...(typeof body === 'string' ? utf8(body) : body),
  ])
  for (const part of signatures.split(' ')) {
    const comma = part.indexOf(',')
    const signature = part.slice(0, comma) === scheme ? fromBase64(part.slice(comma + 1)) : null
    if (signature && (await crypto.subtle.verify(algorithm, imported, signature, signed)))
      return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  }
  throw new WebhookVerificationError(
    'signature_mismatch',
    `no ${scheme} signature in webhook-signature matches this body and this key`,
  )
}

function header(headers: WebhookHeaders, name: string): string {
  const value = isGetter(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '')
    throw new WebhookVerificationError('header_missing', `${name} is missing`)
  return value
}

const isGetter = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function'
