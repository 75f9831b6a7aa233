import type { Queryable } from '../platform/db.ts'
import type { BridgeTransfer } from './bridgeRow.ts'

/** Checks if another transfer has a message: two burns may be equal in every field, and only the nonce tells them apart. */
export async function isTaken(db: Queryable, { id, destinationChain }: Pick<BridgeTransfer, 'id' | 'destinationChain'>, nonce: string): Promise<boolean> {
  const others = await db.query('select 1 from bridge_transfers where destination_chain = $1 and nonce = $2 and id <> $3', [destinationChain, nonce, id])
  return others.length > 0
}
