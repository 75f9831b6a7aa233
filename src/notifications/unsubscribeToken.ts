import { createHmac, timingSafeEqual } from 'node:crypto'
import { keysOf } from '../platform/appKey.ts'
import type { Secret } from '../platform/secrets.ts'
import { subkeyOf } from '../platform/subkeys.ts'
import type { Choice } from './chooseNotifications.ts'
import { notificationKinds } from './kinds.ts'

const macBytes = 16
const subjectBytes = 33
const form = /^[A-Za-z0-9_-]{66}$/

/**
 * The token of a mail's link that ends mails of its kind: whose they are, and 128 bits of an HMAC-SHA-256 of
 * that. Without the application's key nobody can make one. It does not expire, because mails are kept.
 */
export function unsubscribeToken(appKey: Secret, choice: Choice): string {
  const subject = Buffer.concat([
    bytesOfId(choice.businessId),
    bytesOfId(choice.accountId),
    Buffer.from([notificationKinds.indexOf(choice.kind)]),
  ])
  return Buffer.concat([subject, macOf(appKey, subject)]).toString('base64url')
}

/** What a token is about; null if no key of this deployment made it. */
export function choiceOfToken(appKey: Secret, token: string): Choice | null {
  if (!form.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const [subject, mac] = [bytes.subarray(0, subjectBytes), bytes.subarray(subjectBytes)]
  const kind = notificationKinds[subject[subjectBytes - 1] ?? -1]
  if (mac.length !== macBytes || kind === undefined || bytes.toString('base64url') !== token) return null
  if (!keysOf(appKey).some((key) => timingSafeEqual(macOf(key, subject), mac))) return null
  return { businessId: idOf(subject.subarray(0, 16)), accountId: idOf(subject.subarray(16, 32)), kind }
}

/** @param baseUrl the deployment's public URL */
export const unsubscribeUrl = (appKey: Secret, baseUrl: string, choice: Choice): string =>
  `${baseUrl.replace(/\/+$/, '')}/unsubscribe/${unsubscribeToken(appKey, choice)}`

const macOf = (key: Secret, subject: Buffer): Buffer =>
  createHmac('sha256', subkeyOf(key, 'unsubscribe')).update(subject).digest().subarray(0, macBytes)

const bytesOfId = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
