import type { BridgeSpeed } from '../chains/bridging.ts'
import type { MessageHex } from '../chains/cctpMessage.ts'
import type { Queryable } from '../platform/database/db.ts'

/** A fork has taken back the burn of a completed transfer; `lost`: for good. */
export type Unburnt = 'taken_back' | 'lost'
export type BridgeStatus = 'pending' | 'in_progress' | 'completed' | 'failed'

/** What was requested; the API proves all of it. */
export interface BridgeRequest {
  /** The intent of the burn has it, too. */
  id: string
  businessId: string
  walletId: string
  sourceChain: string
  destinationChain: string
  /** Base units of USDC. */
  amount: bigint
  /** Normal forms. */
  sourceAddress: string
  destinationAddress: string
  automatic: boolean
  speed: BridgeSpeed
  maxFee: bigint
  sourceDomain: number
  destinationDomain: number
  /** 32-byte fields of messages. */
  sourceMessenger: MessageHex
  destinationMessenger: MessageHex
  burnToken: MessageHex
  /** `sourceAddress`. */
  sourceWord: MessageHex
  mintRecipient: MessageHex
  hook: MessageHex
  needsApproval: boolean
  /** Null where a burn needs no allowance. */
  approvalIntentId: string | null
  /** Solana: the account that keeps the message of the burn. Null on other chains. */
  eventAccount: string | null
  createdAt: Date
}

/** A bridge transfer. */
export interface BridgeTransfer extends BridgeRequest {
  proof: Buffer
  status: BridgeStatus
  errorMessage: string | null
  sourceTxId: string | null
  burntAt: Date | null
  /** Signed by Circle, and checked against the request. */
  message: MessageHex | null
  attestation: MessageHex | null
  nonce: MessageHex | null
  executedSpeed: BridgeSpeed | null
  fee: bigint | null
  delay: string | null
  /** When Circle's signature was first stored. */
  attestedAt: Date | null
  /** The message that had expired at the request to Circle to sign it again. */
  expiredMessage: MessageHex | null
  /** Where the search for its mint goes on. */
  mintCursor: string | null
  /** Circle reports that it minted by this transaction. */
  forwardTxId: string | null
  mintIntentId: string | null
  destinationTxId: string | null
  /** Null while the burn is in a block, and before the mint. */
  unburnt: Unburnt | null
  /** When the rent of its event account can return; null until its mint is final. */
  reclaimAt: Date | null
  reclaimIntentId: string | null
  /** When the event account was seen closed. */
  reclaimedAt: Date | null
  tries: number
  /** When it is due, exact, as text. */
  nextAt: string | null
  updatedAt: Date
  /** The transaction of the burn that was sent, in a block or not. */
  broadcastTxId: string | null
  /** A second owner has not decided about it. */
  awaitsApproval: boolean
}

export const bridgeColumns = `id, business_id as "businessId", wallet_id as "walletId", source_chain as "sourceChain", destination_chain as "destinationChain",
  amount, source_address as "sourceAddress", destination_address as "destinationAddress", automatic, speed, max_fee as "maxFee",
  source_domain as "sourceDomain", destination_domain as "destinationDomain", source_messenger as "sourceMessenger",
  destination_messenger as "destinationMessenger", burn_token as "burnToken", source_word as "sourceWord", mint_recipient as "mintRecipient", hook,
  needs_approval as "needsApproval", approval_intent_id as "approvalIntentId", event_account as "eventAccount",
  reclaim_at as "reclaimAt", reclaim_intent_id as "reclaimIntentId", reclaimed_at as "reclaimedAt", proof, status, error_message as "errorMessage",
  source_tx_id as "sourceTxId", burnt_at as "burntAt", message, attestation, nonce, executed_speed as "executedSpeed", fee, delay,
  attested_at as "attestedAt", expired_message as "expiredMessage", mint_cursor as "mintCursor", next_at::text as "nextAt",
  forward_tx_id as "forwardTxId", mint_intent_id as "mintIntentId", destination_tx_id as "destinationTxId", unburnt, tries, created_at as "createdAt",
  updated_at as "updatedAt",
  exists (select 1 from approvals a where a.subject = 'bridge-burn' and a.subject_id = bridge_transfers.id and a.decision is null) as "awaitsApproval",
  (select i.tx_id from intents i where i.id = bridge_transfers.id and i.status in ('broadcast', 'unknown', 'confirmed')) as "broadcastTxId"`

export type BridgeRow = Omit<BridgeTransfer, 'amount' | 'maxFee' | 'fee'> & {
  amount: string
  maxFee: string
  fee: string | null
}

/** Reads bridge transfers. @param where SQL over the table, with `values` from $1 on */
export async function readBridgeTransfers(
  db: Queryable,
  where: string,
  values: unknown[],
): Promise<BridgeTransfer[]> {
  return (
    await db.query<BridgeRow>(`select ${bridgeColumns} from bridge_transfers where ${where}`, values)
  ).map(bridgeFromRow)
}

/** A row of `bridgeColumns`. */
export const bridgeFromRow = ({ amount, maxFee, fee, ...row }: BridgeRow): BridgeTransfer => ({
  ...row,
  amount: BigInt(amount),
  maxFee: BigInt(maxFee),
  fee: fee === null ? null : BigInt(fee),
})

/** Locks a transfer until the end of the transaction. */
export async function lockBridgeTransfer(tx: Queryable, id: string): Promise<BridgeTransfer | null> {
  const [row] = await readBridgeTransfers(tx, 'id = $1 for update', [id])
  return row ?? null
}
