import { registeredChain } from '../../src/chains/registry.ts'
import { settleSuspense } from '../../src/corrections/settleSuspense.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { insertWatches } from '../../src/watches/insertWatches.ts'

/** Payments that outflows give back, as the indexer stores them, without a chain. */

export interface Source {
  /** Null: to an account of the platform, in suspense. */
  businessId: string | null
  chain: string
  token: string
  /** Base units. */
  amount: bigint
}

/**
 * A confirmed payment to a session of its own, or in suspense. @returns what the outflow that gives it back
 * names
 */
export async function makeSource(
  db: Db,
  source: Source,
): Promise<{ sessionId: string | null; paymentId: string | null; detection: string }> {
  const { businessId, chain, token } = source
  const { family } = registeredChain(chain)
  const [subject, address] = [newId(), `0x${newId().replaceAll('-', '').padStart(40, '0')}`]
  if (businessId !== null)
    await db.query(
      `insert into pos_sessions (id, business_id, chain, token, family, address, amount_expected, fx_margin_percent, fee, fee_currency, status,
         required_confirmations, expires_at)
       values ($1, $2, $3, $4, $5, $6, 1, 0, 0, $4, 'expired', 1, now())`,
      [subject, businessId, chain, token, family, address],
    )
  const watched = {
    family,
    chain: null,
    businessId,
    purpose: businessId === null ? 'suspense' : 'session',
    ifAbsent: false,
  } as const
  const [watch, bytes] = [newId(), new Uint8Array(Buffer.from(address.slice(2), 'hex'))]
  await insertWatches(db, watched, [{ id: watch, subjectId: subject, bytes }])
  const detection = await payTo(db, source, { subject, address, watch })
  if (businessId === null) await settleSuspense({ db }, { detectionId: detection, outboxId: '0' })
  return { sessionId: businessId && subject, paymentId: businessId === null ? detection : null, detection }
}

async function payTo(
  db: Db,
  { businessId, chain, token, amount }: Source,
  to: { subject: string; address: string; watch: string },
): Promise<string> {
  const [transfer, detection] = [newId(), newId()]
  await db.query(
    `insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, token, from_address, to_address, amount)
     values ($1::uuid, $2, 1, $1::uuid::text, now(), $1::uuid::text, 'log:0', $3, '0xaa', $4, $5)`,
    [transfer, chain, token, to.address, String(amount)],
  )
  await db.query(
    `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth, status, confirmed_at, needs_agreement, direction)
     values ($1, $2, $3, $4, $5, $6, 1, 1, 'confirmed', now(), false, 'in')`,
    [detection, transfer, to.watch, businessId, to.subject, chain],
  )
  return detection
}

/** A fork takes it away, or brings it back. */
export const forkSource = (db: Db, detection: string, status: 'reverted' | 'confirmed' = 'reverted') =>
  db.query('update detections set status = $2 where id = $1', [detection, status])
