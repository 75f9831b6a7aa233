import { createHash, createHmac } from 'node:crypto'
import type { YellowCardAccount } from './account.ts'

/**
 * The signature of one request, by https://docs.yellowcard.engineering/docs/authentication-api: the base64
 * HMAC-SHA-256 of the timestamp in ISO 8601, the path without host and query, the method, and for POST the
 * base64 SHA-256 of the body.
 *
 * That page contradicts itself in the path: its text has `/business/payments/accept`, its example message
 * has `/payment`. Public clients sign the whole path (jwambugu/yellowcard-go, ambulando/yellowcard-sdk-ts);
 * kwiikpay/yellowcard-adapter can leave `/business` out. `signedPath` chooses. It is silent on a POST without
 * a body; we always send one.
 */
export function signatureOf(
  { secretKey, signedPath = 'whole' }: Pick<YellowCardAccount, 'secretKey' | 'signedPath'>,
  timestamp: string,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
): string {
  const covered = signedPath === 'short' ? path.replace(/^\/business(?=\/)/, '') : path
  const hmac = createHmac('sha256', secretKey.reveal()).update(timestamp).update(covered).update(method)
  if (body !== undefined) hmac.update(createHash('sha256').update(body).digest('base64'))
  return hmac.digest('base64')
}
