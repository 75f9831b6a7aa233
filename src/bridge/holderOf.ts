import type { Queryable } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import type { BridgeTransfer } from './bridgeRow.ts'

type Holder = Pick<BridgeTransfer, 'sourceTxId'>

/**
 * The other transfer that has a message: two burns may be equal in every field, and differ only in the nonce.
 */
export async function holderOf(
  db: Queryable,
  row: Pick<BridgeTransfer, 'id' | 'destinationChain'>,
  nonce: string,
): Promise<Holder | null> {
  const [found] = await db.query<Holder>(holderSql, [row.destinationChain, nonce, row.id])
  return found ?? null
}

const holderSql = prepared(
  'select source_tx_id as "sourceTxId" from bridge_transfers where destination_chain = $1 and nonce = $2 and id <> $3',
)
