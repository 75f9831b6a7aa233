import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { type KeyInUse, keepKey } from './findKey.ts'
import { heldPermissions } from './heldPermissions.ts'

/** The permission to name where a refund goes. Only owners give it, by name. */
export const refundsAddress = 'refunds:address'

type Rights = Pick<KeyInUse, 'permissions' | 'writePermissions' | 'refundAddressUntil'>

/**
 * Whether a key may name the address of a refund. Keys from before this needed a permission may until a date.
 */
export const mayNameAddress = (key: Rights): boolean =>
  heldPermissions(key).includes(refundsAddress) ||
  (key.refundAddressUntil !== null && key.refundAddressUntil.getTime() > Date.now())

/** @throws ApiError 403 `insufficient_permission` */
export function requireMayNameAddress(key: Rights): void {
  if (mayNameAddress(key)) return
  const hint = 'refund by claim, or let an owner give it to the key (Settings, API keys)'
  throw new ApiError(
    403,
    'insufficient_permission',
    `toAddress: This key does not have the permission ${refundsAddress}: ${hint}`,
  )
}

/** The same in the transaction of the refund: the right holds until it ends. */
export async function keepMayNameAddress(tx: Tx, keyId: string): Promise<void> {
  const now = await keepKey(tx, keyId)
  // A key that has ended is refused by the actor's own check.
  if (now) requireMayNameAddress(now)
}
