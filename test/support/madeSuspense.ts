import { settleSuspense } from '../../src/corrections/settleSuspense.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { insertWatches } from '../../src/watches/insertWatches.ts'

/**
 * Payments to an account of the platform that name no session, as the indexer stores them and the worker
 * settles them: USDC on stellar.
 */

const sender = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'

export const settlePayment = (db: Db, detectionId: string) =>
  settleSuspense({ db }, { detectionId, outboxId: '0' })

/** @param to the address that it came to @returns the id of its detection */
export async function makeSuspense(db: Db, amount: bigint, to = sender): Promise<string> {
  const [watch, transfer, detection] = [newId(), newId(), newId()]
  await insertWatches(
    db,
    { family: 'stellar', chain: null, businessId: null, purpose: 'suspense', ifAbsent: false },
    [{ id: watch, subjectId: watch, bytes: new Uint8Array(Buffer.from(watch.replaceAll('-', ''), 'hex')) }],
  )
  await db.query(
    `insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, token, from_address, to_address, amount)
     values ($1::uuid, 'stellar', 1, $1::uuid::text, now(), $1::uuid::text, 'op:0', 'USDC', $2, $4, $3)`,
    [transfer, sender, amount.toString(), to],
  )
  await db.query(
    `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth, status, confirmed_at, needs_agreement, direction)
     values ($1, $2, $3, null, $3, 'stellar', 1, 1, 'confirmed', now(), false, 'in')`,
    [detection, transfer, watch],
  )
  await settlePayment(db, detection)
  return detection
}

/** A fork takes it back, or returns it. */
export async function forkSuspense(
  db: Db,
  detectionId: string,
  status: 'reverted' | 'confirmed',
): Promise<void> {
  await db.query('update detections set status = $2 where id = $1', [detectionId, status])
  await settlePayment(db, detectionId)
}
