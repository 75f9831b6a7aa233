import { createHmac } from 'node:crypto'
import type { Secret } from '../platform/secrets.ts'
import type { CheckedDestination } from './readDestination.ts'

/**
 * A keyed hash of an account or an address, by which a business's second destination of it is found. Account
 * numbers are few enough to try all: without the key their hash would show them. The business is hashed, too,
 * so that equal accounts of two businesses have different hashes.
 * @param key that of `Idempotency-Key`s, which stays when APP_KEY is rolled
 */
export function fingerprintOf(key: Secret, businessId: string, destination: CheckedDestination): Buffer {
  const parts =
    destination.kind === 'bank'
      ? ['bank', destination.bank.id, destination.account.number.reveal()]
      : [
          'wallet',
          destination.chain.name,
          destination.address,
          destination.memo?.type ?? null,
          destination.memo?.value ?? null,
        ]
  return createHmac('sha256', Buffer.from(key.reveal(), 'base64'))
    .update(`payout-destination\n${JSON.stringify([businessId, ...parts])}`)
    .digest()
}
