import { decodeMessage } from '../chains/cctpMessage.ts'
import type { Tx } from '../platform/database/db.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
import { wrongField } from './checkMessage.ts'

/**
 * Why the treasury signs nothing that uses the stored message of a transfer: it is of another burn, or of one
 * that the treasury has not signed itself.
 */
export async function refusalOfMessage(tx: Tx, transfer: BridgeTransfer): Promise<string | null> {
  const message = transfer.message && decodeMessage(transfer.message)
  if (!message) return 'its bridge transfer has no message'
  const wrong = wrongField(message, transfer)
  if (wrong !== null) return `its message is of another burn (${wrong})`
  const signed = await tx.query('select 1 from treasury_signatures where intent_id = $1', [transfer.id])
  return signed.length === 0 ? 'its burn was not signed here' : null
}
