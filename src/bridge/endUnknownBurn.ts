import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { ConfigError } from '../platform/config.ts'
import type { Tx } from '../platform/database/db.ts'
import { readIntents } from '../txmgr/intents.ts'
import { type BridgeTransfer, lockBridgeTransfer } from './bridgeRow.ts'
import { moveBridge } from './moveBridge.ts'

const errorMessage =
  'Another transaction of the wallet has used the nonce of the burn: nothing was burnt by this transfer'

/**
 * Fails a transfer whose burn another transaction has replaced, by the decision of the operator who has
 * checked that one. Its own burn cannot be mined any more.
 * @returns the transfer before
 * @throws ConfigError for any other transfer
 */
export async function endUnknownBurn(
  tx: Tx,
  actor: Actor,
  id: string,
  evidence: string,
): Promise<BridgeTransfer> {
  const row = await lockBridgeTransfer(tx, id)
  if (!row) throw new ConfigError(`there is no bridge transfer ${id}`)
  const [burn] = await readIntents(tx, 'id = $1', [id])
  const isReplaced = burn?.status === 'expired' && burn.reason === 'sequence_used' && burn.settled
  // The worker has read both chains: it sets this code only where the message was not minted.
  if (row.status !== 'pending' || row.delay !== 'burn_unknown' || !isReplaced)
    throw new ConfigError(
      `${id} is ${row.status}${row.delay === null ? '' : ` (${row.delay})`}: only a transfer that waits as burn_unknown is ended`,
    )
  await moveBridge(tx, row, { status: 'failed', errorMessage, delay: null, nonce: null, nextInMs: null })
  const [before, after] = [
    { status: row.status, delay: row.delay },
    { status: 'failed', evidence },
  ]
  await recordAudit(tx, actor, {
    businessId: row.businessId,
    action: 'bridge.ended_by_hand',
    target: id,
    before,
    after,
  })
  return row
}
