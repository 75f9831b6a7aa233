import { createHmac, randomBytes } from 'node:crypto'
import { keysOf } from '../platform/appKey.ts'
import { isSame } from '../platform/isSame.ts'
import type { Secret } from '../platform/secrets.ts'
import { bytesOf, subkeyOf } from '../platform/subkeys.ts'
import type { Account } from './findAccount.ts'

/** A browser stays known this long after a sign-in, in seconds. */
export const deviceSeconds = 400 * 24 * 3600

/** Includes the password hash: a new password makes every browser an unknown device. */
const mac = (key: Buffer, text: string, passwordHash: string) =>
  createHmac('sha256', key).update(`cowry/device/v1/${text}/${passwordHash}`).digest()

/**
 * A cookie kept after a sign-in, so that guesses from unknown devices never lock this browser out (OWASP's
 * device cookies). It proves an earlier sign-in and does not authenticate.
 */
export function issueDeviceCookie(appKey: Secret, account: Pick<Account, 'id' | 'passwordHash'>): string {
  const text = `${account.id}.${randomBytes(12).toString('base64url')}.${Math.floor(Date.now() / 1000)}`
  return `${text}.${mac(subkeyOf(appKey, 'device-cookie'), text, account.passwordHash).toString('base64url')}`
}

/**
 * @returns the device's id; null where the cookie is forged, expired, of another account or of an earlier
 * password
 */
export function knownDevice(
  appKey: Secret,
  cookie: string | null,
  account: Pick<Account, 'id' | 'passwordHash'>,
): string | null {
  const [id, nonce, issued, signature, more] = (cookie ?? '').split('.')
  if (id !== account.id || !nonce || !issued || !signature || more !== undefined) return null
  const given = Buffer.from(signature, 'base64url')
  // Cookies of versions before the subkeys are good for as long as they live.
  const keys = keysOf(appKey).flatMap((key) => [subkeyOf(key, 'device-cookie'), bytesOf(key)])
  if (!keys.some((key) => isSame(given, mac(key, `${id}.${nonce}.${issued}`, account.passwordHash))))
    return null
  return Number(issued) + deviceSeconds > Date.now() / 1000 ? nonce : null
}
