import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../platform/secrets.ts'
import type { Account } from './findAccount.ts'

/** For how long a browser that has signed in is no stranger. */
export const deviceSeconds = 400 * 24 * 3600

/** Bound to the password as it is: another password makes strangers of all browsers. */
const mac = (appKey: Secret, text: string, passwordHash: string) =>
  createHmac('sha256', Buffer.from(appKey.reveal(), 'base64')).update(`cowry/device/v1/${text}/${passwordHash}`).digest()

/**
 * What a browser keeps after a sign-in, so that strangers' guesses never lock it out (OWASP's device cookies). It proves that somebody
 * signed in there once; it signs nobody in.
 */
export function issueDeviceCookie(appKey: Secret, account: Pick<Account, 'id' | 'passwordHash'>): string {
  const text = `${account.id}.${randomBytes(12).toString('base64url')}.${Math.floor(Date.now() / 1000)}`
  return `${text}.${mac(appKey, text, account.passwordHash).toString('base64url')}`
}

/** @returns the device's own name, or null where the cookie is not ours, too old, of another account or of an earlier password */
export function knownDevice(appKey: Secret, cookie: string | null, account: Pick<Account, 'id' | 'passwordHash'>): string | null {
  const [id, nonce, issued, signature, more] = (cookie ?? '').split('.')
  if (id !== account.id || !nonce || !issued || !signature || more !== undefined) return null
  const given = Buffer.from(signature, 'base64url')
  const right = mac(appKey, `${id}.${nonce}.${issued}`, account.passwordHash)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return Number(issued) + deviceSeconds > Date.now() / 1000 ? nonce : null
}
