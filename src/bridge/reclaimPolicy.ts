import type { Action } from '../chains/action.ts'
import { bridgeActions } from '../chains/bridgeActions.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { Intent, TreasuryFacts } from '../txmgr/intents.ts'
import { isProven } from './bridgeProof.ts'
import { type BridgeTransfer, readBridgeTransfers } from './bridgeRow.ts'
import { maxReclaims, reclaimIdsOf } from './reclaimIds.ts'
import { refusalOfMessage } from './refusalOfMessage.ts'

/**
 * The treasury's policy of what returns the rent of a burn's event account. It costs the wallet a fee: the
 * transfer is proven by the API, the treasury has signed its burn, and the wallet signs few of them, whose
 * ids follow from the transfer.
 */
export async function refusalOfReclaim(
  tx: Tx,
  row: Intent,
  { chain, proofs }: TreasuryFacts,
): Promise<string | null> {
  const transfer = await transferOf(tx, row)
  if (!transfer) return 'it belongs to no bridge transfer'
  if (!isProven(proofs.api, transfer)) return 'its bridge transfer has no valid proof of the API'
  if (transfer.businessId !== row.businessId || transfer.walletId !== row.walletId)
    return 'its bridge transfer is of another wallet'
  if (transfer.sourceChain !== row.chain) return 'its bridge transfer begins on another chain'
  const actions = await bridgeActions(chain)
  if (!chain.cctp || actions?.wordOf(chain.cctp.tokenMessenger) !== transfer.sourceMessenger)
    return 'its bridge is not that of the chain'
  const refusal = await refusalOfMessage(tx, transfer)
  if (refusal !== null) return refusal
  const ids = reclaimIdsOf(transfer.id)
  const others = await tx.query(
    'select distinct intent_id from treasury_signatures where intent_id = any($1::uuid[]) and intent_id <> $2',
    [ids, row.id],
  )
  return ids.includes(row.id) && others.length < maxReclaims ? null : 'its rent was reclaimed too often'
}

export async function reclaimAction(tx: Tx, row: Intent, { chain }: TreasuryFacts): Promise<Action | null> {
  const transfer = await transferOf(tx, row)
  const actions = await bridgeActions(chain)
  if (!transfer?.eventAccount || !transfer.message || !transfer.attestation || !actions?.reclaim) return null
  const { message, attestation } = transfer
  return actions.reclaim(transfer.sourceAddress, transfer.eventAccount, { message, attestation })
}

async function transferOf(db: Queryable, { id }: Pick<Intent, 'id'>): Promise<BridgeTransfer | null> {
  const [found] = await readBridgeTransfers(db, 'reclaim_intent_id = $1', [id])
  return found ?? null
}
