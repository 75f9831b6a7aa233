import { ApiError } from '../platform/errors.ts'
import type { Family } from './chain.ts'
import { evmKeyless } from './evm/keyless.ts'
import { ActionRefused } from './sending.ts'
import { solanaKeyless } from './solana/keyless.ts'
import { stellarKeyless } from './stellar/keyless.ts'
import { tronKeyless } from './tron/keyless.ts'

const byFamily: Record<Family, (address: string) => string | null> = {
  evm: evmKeyless,
  solana: solanaKeyless,
  tron: tronKeyless,
  stellar: stellarKeyless,
}

/**
 * Why nobody can sign for an address: what is sent there is lost. Reads no chain.
 * @param address normal form
 * @returns a predicate, such as `is the zero address`; null where somebody may have the key
 */
export const keylessReason = (family: Family, address: string): string | null => byFamily[family](address)

/** For an address that a request names. @throws ApiError 422 `recipient_without_key` naming `field` */
export function refuseKeyless(family: Family, address: string, field: string): void {
  const reason = keylessReason(family, address)
  if (reason === null) return
  const message = `${reason}: nobody can move what is sent there`
  throw new ApiError(422, 'recipient_without_key', `${field}: ${message}`, { fields: [{ field, message }] })
}

/** For the recipient of a transfer that is about to leave. @throws ActionRefused */
export function refuseKeylessRecipient(family: Family, address: string): void {
  const reason = keylessReason(family, address)
  if (reason === null) return
  throw new ActionRefused('recipient_without_key', `The recipient ${reason}: nobody can move what is sent there`, 'toAddress')
}
