import type { Queryable, Tx } from '../platform/db.ts'
import { type Outgoing, readOutgoing } from './outgoing.ts'
import { intentMessage, type Prover } from './proof.ts'

const waits = "signer = 'wallet' and proof is null and next_look_at is not null"

/** Intents without a proof, which the treasury does not sign, the oldest first. */
export const unprovenOutgoing = (db: Queryable): Promise<Outgoing[]> => readOutgoing(db, `${waits} order by created_at limit 1000`, [])

/** Proves an intent that an earlier version has stored, by the operator's word. @returns null where it does not wait for one */
export async function proveOutgoing(tx: Tx, id: string, prover: Prover): Promise<Outgoing | null> {
  const [row] = await readOutgoing(tx, `id = $1 and ${waits} for update`, [id])
  if (!row) return null
  await tx.query('update outgoing set proof = $2 where id = $1', [id, prover.prove(intentMessage(row))])
  return row
}
