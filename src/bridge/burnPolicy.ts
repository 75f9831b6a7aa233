import { hasProvenApproval } from '../approvals/hasProvenApproval.ts'
import type { Action } from '../chains/action.ts'
import { bridgeActions } from '../chains/bridgeActions.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { Intent, TreasuryFacts } from '../txmgr/intents.ts'
import { isProven } from './bridgeProof.ts'
import { type BridgeTransfer, readBridgeTransfers } from './bridgeRow.ts'
import { callsOf, usdcOf } from './burnOf.ts'

/**
 * The treasury's policy of what a stored wallet sends to the bridge: the intent belongs to a transfer that
 * the API has proven, of the same wallet, and a second owner has approved it where that is needed. A transfer
 * burns once: the burn has its id, and the treasury signs one transaction of an intent.
 */
export async function refusalOfBurn(
  tx: Tx,
  row: Intent,
  { chain, proofs }: TreasuryFacts,
): Promise<string | null> {
  const transfer = await transferOf(tx, row)
  if (!transfer) return 'it belongs to no bridge transfer'
  if (!isProven(proofs.api, transfer)) return 'its bridge transfer has no valid proof of the API'
  if (transfer.status === 'failed') return 'its bridge transfer has failed'
  if (transfer.businessId !== row.businessId || transfer.walletId !== row.walletId)
    return 'its bridge transfer is of another wallet'
  if (transfer.sourceChain !== row.chain) return 'its bridge transfer begins on another chain'
  if (row.purpose === 'bridge-burn' && row.needsApproval !== transfer.needsApproval)
    return 'it needs another approval than its bridge transfer'
  const actions = await bridgeActions(chain)
  if (!chain.cctp || actions?.wordOf(chain.cctp.tokenMessenger) !== transfer.sourceMessenger)
    return 'its bridge is not that of the chain'
  if (!transfer.needsApproval) return null
  return (await hasProvenApproval(tx, proofs.api, 'bridge-burn', transfer.id))
    ? null
    : 'its approval has no valid proof of the API'
}

export async function burnAction(tx: Tx, row: Intent, { chain }: TreasuryFacts): Promise<Action | null> {
  const transfer = await transferOf(tx, row)
  const actions = await bridgeActions(chain)
  const token = usdcOf(chain)
  if (!transfer || !actions || !token) return null
  const { approval, burn } = callsOf(actions, transfer, token)
  return row.purpose === 'bridge-burn' ? burn : approval
}

/** The purpose decides which intent of the transfer it is. */
async function transferOf(
  db: Queryable,
  { id, purpose }: Pick<Intent, 'id' | 'purpose'>,
): Promise<BridgeTransfer | null> {
  const [found] = await readBridgeTransfers(
    db,
    purpose === 'bridge-burn' ? 'id = $1' : 'approval_intent_id = $1',
    [id],
  )
  return found ?? null
}
