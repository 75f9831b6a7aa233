import { approvalStateOf } from '../approvals/approvalState.ts'
import type { Tx } from '../platform/database/db.ts'
import { type Intent, type IntentStop, readIntents, type StopContext } from '../txmgr/intents.ts'
import { isOutcome } from '../txmgr/nextState.ts'
import { type BridgeTransfer, readBridgeTransfers } from './bridgeRow.ts'

const waits = (reason: string): IntentStop => ({ reason, ends: false, waits: true })
const ends = (reason: string): IntentStop => ({ reason, ends: true })

/**
 * An allowance is given when its burn may follow: a second owner has approved it, and no other transfer of
 * the wallet is between its own allowance and its burn, because each allowance replaces the one before.
 */
export async function approvalStop(_ctx: StopContext, tx: Tx, { id }: Intent): Promise<IntentStop | null> {
  const [transfer] = await readBridgeTransfers(tx, 'approval_intent_id = $1', [id])
  if (!transfer) return ends('no_transfer')
  const burn = await readIntent(tx, transfer.id)
  if (!burn || isOutcome(burn.status) || burn.isCancelled) return ends('burn_ended')
  if (transfer.needsApproval && (await approvalStateOf(tx, 'bridge-burn', transfer.id)) !== 'approved')
    return waits('approval')
  return (await hasOther(tx, transfer)) ? waits('other_transfer') : null
}

/** Also finds a burn that a fork has taken back after its mint: its transfer stays completed. */
async function hasOther(tx: Tx, { id, walletId, businessId }: BridgeTransfer): Promise<boolean> {
  // Both of two transfers would find that nothing is under way.
  await tx.query("select pg_advisory_xact_lock(hashtextextended('cowry bridge wallet ' || $1, 0))", [
    walletId,
  ])
  const others = await tx.query(
    `select 1 from intents burn join bridge_transfers b on b.id = burn.id join intents a on a.id = b.approval_intent_id
     where burn.business_id = $3 and burn.next_reconcile_at is not null and burn.purpose = 'bridge-burn' and burn.wallet_id = $1 and burn.id <> $2
       and burn.status in ('created', 'signed', 'broadcast', 'unknown') and b.status <> 'failed'
       and (a.status not in ('created', 'failed', 'expired') or exists (select 1 from intent_attempts t where t.intent_id = a.id and t.void_at is null))
     limit 1`,
    [walletId, id, businessId],
  )
  return others.length > 0
}

/** A burn follows its allowance. */
export async function burnStop(_ctx: StopContext, tx: Tx, { id }: Intent): Promise<IntentStop | null> {
  const [transfer] = await readBridgeTransfers(tx, 'id = $1', [id])
  if (!transfer) return ends('no_transfer')
  if (transfer.approvalIntentId === null) return null
  const approval = await readIntent(tx, transfer.approvalIntentId)
  if (approval?.status === 'confirmed') return null
  const isOver = !approval || (approval.settled && isOutcome(approval.status))
  return isOver ? ends(approval?.message ?? approval?.reason ?? 'no_allowance') : waits('allowance')
}

const readIntent = async (tx: Tx, id: string): Promise<Intent | undefined> =>
  (await readIntents(tx, 'id = $1', [id]))[0]
