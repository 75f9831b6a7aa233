import type { Prover } from '../custody/proof.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { type Intent, readIntents } from './intents.ts'
import { intentMessage } from './proof.ts'

const waits = "purpose = 'transfer' and signer = 'wallet' and proof is null and next_reconcile_at is not null"

/** Intents without a proof, which the treasury does not sign, oldest first. */
export const unprovenIntents = (db: Queryable): Promise<Intent[]> =>
  readIntents(db, `${waits} order by created_at limit 1000`, [])

/**
 * Proves an intent of an earlier version by the operator's decision. @returns null if it does not wait for a
 * proof
 */
export async function proveIntent(tx: Tx, id: string, prover: Prover): Promise<Intent | null> {
  const [row] = await readIntents(tx, `id = $1 and ${waits} for update`, [id])
  if (!row) return null
  await tx.query('update intents set proof = $2 where id = $1', [id, prover.prove(intentMessage(row))])
  return row
}
