import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface YellowCardCredentials {
  apiKey: string
  secretKey: string
}

const clockToleranceMs = 5 * 60_000

/**
 * Their rule (docs.yellowcard.engineering/docs/authentication-api): HMAC-SHA-256 over timestamp + path +
 * method, and for POST + the base64 SHA-256 of the body; base64, in `YcHmacV1 key:signature`.
 */
export function isSigned(
  request: IncomingMessage,
  path: string,
  body: Buffer,
  { apiKey, secretKey }: YellowCardCredentials,
): boolean {
  const timestamp = String(request.headers['x-yc-timestamp'])
  if (
    !/^\d{4}-\d\d-\d\dT/.test(timestamp) ||
    !(Math.abs(Date.now() - Date.parse(timestamp)) < clockToleranceMs)
  )
    return false
  const hash = request.method === 'POST' ? createHash('sha256').update(body).digest('base64') : ''
  const message = [timestamp, path, request.method, hash].join('')
  const expected = `YcHmacV1 ${apiKey}:${createHmac('sha256', secretKey).update(Buffer.from(message, 'utf8')).digest('base64')}`
  return request.headers.authorization === expected
}

/** Of a webhook's body (docs/webhooks-api). */
export const webhookSignature = (body: string, secretKey: string): string =>
  createHmac('sha256', secretKey).update(Buffer.from(body, 'utf8')).digest('base64')
