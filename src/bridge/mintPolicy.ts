import type { Action } from '../chains/action.ts'
import { bridgeActions } from '../chains/bridgeActions.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { Intent, TreasuryFacts } from '../txmgr/intents.ts'
import { isProven } from './bridgeProof.ts'
import { type BridgeTransfer, readBridgeTransfers } from './bridgeRow.ts'
import { mintRecipientOf, usdcOf } from './burnOf.ts'
import { maxMints, mintIdsOf, signedMints } from './mintIds.ts'
import { refusalOfMessage } from './refusalOfMessage.ts'

/**
 * The treasury's policy of mints, which cost its own coin: the message is of a transfer that the API has
 * proven, and whose burn the treasury has signed itself. It signs few mints of a transfer, whose ids follow
 * from it.
 */
export async function refusalOfMint(
  tx: Tx,
  row: Intent,
  { chain, proofs }: TreasuryFacts,
): Promise<string | null> {
  if (row.businessId !== null) return 'it is not of the platform'
  const transfer = await transferOf(tx, row)
  if (!transfer) return 'it belongs to no bridge transfer'
  if (!isProven(proofs.api, transfer)) return 'its bridge transfer has no valid proof of the API'
  if (transfer.destinationChain !== row.chain) return 'its bridge transfer ends on another chain'
  const actions = await bridgeActions(chain)
  const ofChain = chain.cctp && actions?.wordOf(chain.cctp.tokenMessenger) === transfer.destinationMessenger
  if (!ofChain) return 'its bridge is not that of the chain'
  const token = usdcOf(chain)
  const recipient = actions && token && mintRecipientOf({ actions, token }, transfer.destinationAddress)
  if (recipient !== transfer.mintRecipient) return 'its recipient is not that of its address'
  const refusal = await refusalOfMessage(tx, transfer)
  if (refusal !== null) return refusal
  const isOwn = mintIdsOf(transfer.id).includes(row.id)
  return isOwn && (await signedMints(tx, transfer.id, row.id)) < maxMints ? null : 'it was minted too often'
}

export async function mintAction(
  tx: Tx,
  row: Intent,
  { addresses, chain }: TreasuryFacts,
): Promise<Action | null> {
  const transfer = await transferOf(tx, row)
  const actions = await bridgeActions(chain)
  if (!transfer?.message || !transfer.attestation || !actions || row.action.kind !== 'calls') return null
  const { message, attestation, destinationAddress: owner } = transfer
  const [token, feeAccount] = [usdcOf(chain), actions.feeAccountOf?.(row.action)]
  // Of all accounts that a mint names, only that for fees is taken from the row: Circle's program refuses a
  // wrong one.
  const to = token && feeAccount ? { to: { owner, token, feeAccount } } : {}
  return actions.mint(addresses.treasury(chain.family), { message, attestation, ...to })
}

async function transferOf(db: Queryable, { id }: Pick<Intent, 'id'>): Promise<BridgeTransfer | null> {
  const [found] = await readBridgeTransfers(db, 'mint_intent_id = $1', [id])
  return found ?? null
}
