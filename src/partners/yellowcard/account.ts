import type { Secret } from '../../platform/secrets.ts'

/** An account at Yellow Card, and how to reach it. */
export interface YellowCardAccount {
  url: string
  apiKey: string
  secretKey: Secret
  /** The names of its operations on payments; the newer ones by default (names.ts). */
  names?: 'send' | 'payments'
  /** The part of the path that signatures cover; the whole by default (sign.ts). */
  signedPath?: 'whole' | 'short'
  /** Of one attempt. */
  timeoutMs?: number
}
