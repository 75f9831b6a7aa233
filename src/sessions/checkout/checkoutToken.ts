import { createHmac, timingSafeEqual } from 'node:crypto'
import { keysOf } from '../../platform/appKey.ts'
import type { Secret } from '../../platform/secrets.ts'
import { subkeyOf } from '../../platform/subkeys.ts'

/** The URL of the page where a customer pays a session, by the session's id. */
export type CheckoutUrl = (sessionId: string) => string

const macBytes = 12
const form = /^[A-Za-z0-9_-]{38}$/

/**
 * The token in the URL of a session's checkout page: the id, and 96 bits of an HMAC-SHA-256 of it. Without
 * the application's key, no other session's token can be found from an id or a token.
 */
export function checkoutToken(appKey: Secret, sessionId: string): string {
  const id = bytesOfId(sessionId)
  return Buffer.concat([id, macOf(appKey, id)]).toString('base64url')
}

/** The id of the session that a token belongs to; null if no key of this deployment made it. */
export function sessionOfToken(appKey: Secret, token: string): string | null {
  if (!form.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const [id, mac] = [bytes.subarray(0, 16), bytes.subarray(16)]
  // One text for one session: the last character holds fewer bits than it could.
  if (mac.length !== macBytes || bytes.toString('base64url') !== token) return null
  return keysOf(appKey).some((key) => timingSafeEqual(macOf(key, id), mac)) ? idOf(id) : null
}

/** @param baseUrl the deployment's public URL */
export const checkoutUrls =
  (appKey: Secret, baseUrl: string): CheckoutUrl =>
  (sessionId) =>
    `${baseUrl.replace(/\/+$/, '')}/checkout/${checkoutToken(appKey, sessionId)}`

const macOf = (key: Secret, id: Buffer): Buffer =>
  createHmac('sha256', subkeyOf(key, 'checkout')).update(id).digest().subarray(0, macBytes)

const bytesOfId = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
