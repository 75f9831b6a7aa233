import type { Queryable } from '../platform/db.ts'
import type { BridgeTransfer } from './bridgeRow.ts'

/** Checks if another transfer has a message: two burns may be equal in every field, and differ only in the nonce. */
export async function isTaken(db: Queryable, row: Pick<BridgeTransfer, 'id' | 'destinationChain'>, nonce: string): Promise<boolean> {
  const sql = 'select 1 from bridge_transfers where destination_chain = $1 and nonce = $2 and id <> $3'
  return (await db.query(sql, [row.destinationChain, nonce, row.id])).length > 0
}
