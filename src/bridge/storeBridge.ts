import type { Tx } from '../platform/database/db.ts'
import { currentCause } from '../platform/telemetry/scope.ts'
import type { RequestedBy } from '../txmgr/intents.ts'
import { type BridgeRequest, type BridgeTransfer, readBridgeTransfers } from './bridgeRow.ts'

/** A change of its intents makes a transfer due: this only finds one whose change was lost. */
export const sweepMs = 600_000

/** Stores a bridge transfer. Its intents are stored in the same transaction. */
export async function storeBridge(
  tx: Tx,
  row: BridgeRequest & { proof: Buffer },
  { apiKeyId, accountId }: RequestedBy,
): Promise<BridgeTransfer> {
  const { traceparent, requestId } = currentCause()
  const columns = {
    id: row.id,
    business_id: row.businessId,
    wallet_id: row.walletId,
    api_key_id: apiKeyId,
    account_id: accountId,
    source_chain: row.sourceChain,
    destination_chain: row.destinationChain,
    amount: String(row.amount),
    source_address: row.sourceAddress,
    destination_address: row.destinationAddress,
    automatic: row.automatic,
    speed: row.speed,
    max_fee: String(row.maxFee),
    source_domain: row.sourceDomain,
    destination_domain: row.destinationDomain,
    source_messenger: row.sourceMessenger,
    destination_messenger: row.destinationMessenger,
    burn_token: row.burnToken,
    source_word: row.sourceWord,
    mint_recipient: row.mintRecipient,
    hook: row.hook,
    needs_approval: row.needsApproval,
    approval_intent_id: row.approvalIntentId,
    event_account: row.eventAccount,
    proof: row.proof,
    created_at: row.createdAt,
    updated_at: row.createdAt,
    next_at: new Date(row.createdAt.getTime() + sweepMs),
    traceparent,
    request_id: requestId,
  }
  const names = Object.keys(columns)
  await tx.query(
    `insert into bridge_transfers (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(columns),
  )
  const [stored] = await readBridgeTransfers(tx, 'id = $1', [row.id])
  if (!stored) throw new Error('the bridge transfer was not stored')
  return stored
}
