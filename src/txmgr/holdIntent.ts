import type { Tx } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { readAttempts, voidAttempts } from './attempts.ts'
import { type Intent, isOwnSigner, lockIntent } from './intents.ts'
import { isOutcome } from './nextState.ts'
import { planAgainBehind } from './planAgainBehind.ts'

/**
 * Locks an intent that the operator may hold, release or reprice.
 * @throws ApiError 404; 409 `transfer_not_ours`, `transfer_ended`
 */
export async function lockOperated(tx: Tx, id: string): Promise<Intent> {
  const row = await lockIntent(tx, id)
  if (!row) throw notFound('Intent')
  if (!isOwnSigner(row.signer))
    throw new ApiError(
      409,
      'transfer_not_ours',
      `The key of the ${row.signer} has signed the transfer: it can be sent without this platform`,
    )
  if (row.settled || isOutcome(row.status))
    throw new ApiError(409, 'transfer_ended', `The transfer has ended: it is ${row.status}`)
  return row
}

/**
 * Holds one intent: from the commit on it is neither planned, signed, sent, sent again nor bumped. What was
 * sent is still watched. A request without a signature is given up, with its nonce, so that later transfers
 * of the address do not wait for it.
 * @returns the intent before
 * @throws ApiError as `lockOperated`
 */
export async function holdIntent(tx: Tx, id: string, reason: string): Promise<Intent> {
  const row = await lockOperated(tx, id)
  await tx.query('update intents set held_at = coalesce(held_at, now()), held_reason = $2 where id = $1', [
    id,
    reason,
  ])
  const unsigned = (await readAttempts(tx, id)).filter(({ isVoid, sent }) => !isVoid && sent === null)
  if (unsigned.length > 0) {
    const numbers = unsigned.map(({ number }) => number)
    await voidAttempts(tx, id, numbers, 'held by the operator')
    if (row.status === 'created') await planAgainBehind(tx, row)
  }
  return row
}

/** Transfers of the same address that wait behind the nonce of a held intent, and are not mined before it. */
export async function waitingBehind(tx: Tx, { id, chain, action }: Intent): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(distinct behind.intent_id)::int as count from intent_nonces own join intent_nonces behind
       on behind.chain = own.chain and behind.address = own.address and behind.nonce > own.nonce and behind.intent_id <> own.intent_id
     where own.intent_id = $1 and own.chain = $2 and own.address = $3`,
    [id, chain, action.from],
  )
  return row?.count ?? 0
}

/**
 * @returns the intent before; null if it was not held
 * @throws ApiError as `lockOperated`
 */
export async function releaseIntent(tx: Tx, id: string): Promise<Intent | null> {
  const row = await lockOperated(tx, id)
  if (!row.isHeldAlone) return null
  await tx.query(
    'update intents set held_at = null, held_reason = null, next_reconcile_at = now() where id = $1',
    [id],
  )
  await tx.query("select pg_notify('cowry_intents', '')")
  return row
}
