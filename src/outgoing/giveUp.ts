import type { Tx } from '../platform/db.ts'
import { failOutgoing } from './failOutgoing.ts'
import { lockOutgoing, type OnChange, type Outgoing, type Purpose, readTransactions, voidTransactions } from './outgoing.ts'

/**
 * Ends an intent of a stored wallet that nothing is signed for, by the operator's word that it had left before: after a restore nobody
 * else can know. Whoever wanted it is told that it has failed.
 * @returns what it was; or why it was left as it is, in words
 */
export async function giveUp(tx: Tx, onChange: Record<Purpose, OnChange>, id: string): Promise<{ refused: string } | Outgoing> {
  const row = await lockOutgoing(tx, id)
  if (!row) return { refused: 'there is no such row' }
  if (row.signer !== 'wallet') return { refused: `it is of ${row.signer}, not of a stored wallet` }
  const live = (await readTransactions(tx, id)).filter((each) => !each.isVoid)
  if (row.status !== 'created' || live.some((each) => each.sent !== null)) return { refused: `it is ${row.status}: it may still come by itself` }
  await voidTransactions(
    tx,
    id,
    live.map((each) => each.number),
    'given up by the operator',
  )
  await tx.query('delete from outgoing_sequences where outgoing_id = $1', [id])
  const message = 'The operator has given it up: it was sent before the database was restored, or is not to be sent'
  await failOutgoing({ onChange }, tx, row, 'given_up', message)
  return row
}
