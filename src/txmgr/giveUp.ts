import type { Tx } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { readAttempts, voidAttempts } from './attempts.ts'
import { failIntent } from './failIntent.ts'
import { isSuspended, senderOf } from './hold.ts'
import { type Intent, isOwnSigner, lockIntent, type PurposesContext } from './intents.ts'
import { planAgainBehind } from './planAgainBehind.ts'
import { isRestored } from './restored.ts'

/**
 * Fails an intent that the treasury signs by the operator's decision: one without a signature, which may have
 * been sent before a restore of the database, or one that is held, by itself or with its business, of which
 * nothing was sent. Notifies its business.
 * @returns the intent before
 * @throws ApiError 404; 409 `transfer_not_ours`, `transfer_not_held`
 */
export async function giveUp(ctx: PurposesContext, tx: Tx, id: string): Promise<Intent> {
  const row = await lockIntent(tx, id)
  if (!row) throw notFound('Intent')
  if (!isOwnSigner(row.signer))
    throw new ApiError(
      409,
      'transfer_not_ours',
      `${row.signer} has signed the transfer: it can be sent without this platform`,
    )
  // A hold keeps further sends from being counted, so this stays true.
  const suspended = await isSuspended(tx, await senderOf(tx, row))
  const live = (await readAttempts(tx, id)).filter((each) => !each.isVoid)
  const isUnsigned = row.status === 'created' && live.every((each) => each.sent === null)
  const isUnsent =
    (suspended || row.isHeldAlone) && row.status === 'signed' && live.every((each) => each.sends === 0)
  if (!isUnsigned && !isUnsent)
    throw new ApiError(
      409,
      'transfer_not_held',
      `The transfer is not held: it is ${row.status}, and may still be mined`,
    )
  await voidAttempts(
    tx,
    id,
    live.map((each) => each.number),
    'given up by the operator',
  )
  await tx.query('delete from intent_nonces where intent_id = $1', [id])
  const isHeld = !(await isRestored(tx)) && (suspended || row.isHeldAlone)
  const heldBy = suspended ? whileHeld : whileHeldAlone
  await failIntent(ctx, tx, row, 'given_up', isHeld ? heldBy : afterRestore)
  await planAgainBehind(tx, row)
  return row
}

const whileHeld = 'The operator has suspended the business and given the transfer up: nothing of it was sent'
const whileHeldAlone = 'The operator has held the transfer and given it up: nothing of it was sent'
const afterRestore =
  'The operator has given it up after the database was restored: it may have been sent before, so look at the address'
