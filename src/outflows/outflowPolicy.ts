import { approvalStateOf, wasApproved } from '../approvals/approvalState.ts'
import { hasProvenApproval } from '../approvals/hasProvenApproval.ts'
import { destinationMessage, type ProvenDestination } from '../destinations/destinationProof.ts'
import { tokenAsset } from '../ledger/entry.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { TreasuryFacts } from '../txmgr/intents.ts'
import type { Outflow } from './outflow.ts'
import { outflowMessage, priceMessage } from './outflowProof.ts'
import { isSourceThere, lockSource, takenByTreasury } from './outflowSource.ts'

/**
 * What has to be proven of an outflow before it leaves, on a chain or through a partner. No row is trusted
 * without.
 */
export type Proofs = TreasuryFacts['proofs']

export async function refusalOfUnproven(tx: Tx, outflow: Outflow, proofs: Proofs): Promise<string | null> {
  const [stored] = await tx.query<StoredProofs>(
    'select proof, priced_by as "pricedBy", price_proof as "priceProof" from outflows where id = $1',
    [outflow.id],
  )
  if (!stored?.proof || !proofs[outflow.madeBy].verifies(outflowMessage(outflow), stored.proof))
    return 'its outflow has no valid proof of its maker'
  if (!isPriceProven(outflow, stored, proofs)) return 'its price has no valid proof'
  const isOfWorker = outflow.kind === 'payout' || outflow.kind === 'top_up'
  return isOfWorker || outflow.madeBy === 'api' ? null : `only the API makes a ${outflow.kind}`
}

interface StoredProofs {
  proof: Buffer | null
  pricedBy: 'api' | 'worker' | null
  priceProof: Buffer | null
}

/** A price of an earlier version has neither time nor proof: it is renewed before it leaves. */
function isPriceProven(
  { bank, proofVersion, ...outflow }: Outflow,
  { pricedBy, priceProof }: StoredProofs,
  proofs: Proofs,
): boolean {
  if (!bank?.price) return true
  if (bank.price.pricedAt === null) return proofVersion === 1
  if (pricedBy === null || priceProof === null) return false
  const { id, fee, margin, rounding } = outflow
  return proofs[pricedBy].verifies(
    priceMessage({ id, fee, margin, rounding, currency: bank.currency, price: bank.price }),
    priceProof,
  )
}

/**
 * The approval is the API's proof, and counts while its people have their rights; for what was signed before,
 * it stays.
 */
export async function refusalOfUnapproved(
  tx: Tx,
  { id, needsApproval }: Outflow,
  proofs: Proofs,
  isTaken: boolean,
): Promise<string | null> {
  if (!needsApproval) return null
  const isApproved = isTaken
    ? await wasApproved(tx, 'payout', id)
    : (await approvalStateOf(tx, 'payout', id)) === 'approved'
  return isApproved && (await hasProvenApproval(tx, proofs.api, 'payout', id))
    ? null
    : 'its outflow has no approval of a second owner'
}

export interface StoredDestination extends ProvenDestination {
  proof: Buffer | null
  isArchived: boolean
  isUsable: boolean
  needsApproval: boolean
}

export async function readDestination(
  db: Queryable,
  { destinationId, businessId }: Outflow,
): Promise<StoredDestination | null> {
  const [row] = await db.query<StoredDestination>(
    `select id, business_id as "businessId", kind, network_id as "networkId", currency, chain, address, memo, memo_type as "memoType",
       usable_from as "usableFrom", needs_approval as "needsApproval", proof, archived_at is not null as "isArchived", usable_from <= now() as "isUsable"
     from payout_destinations where id = $1 and business_id = $2`,
    [destinationId, businessId],
  )
  return row ?? null
}

/**
 * Where it goes is proven by the API, by `isThere`, and by a second owner where it needs one; after the first
 * time it may be archived.
 */
export async function refusalOfDestination(
  tx: Tx,
  destination: StoredDestination | null,
  proofs: Proofs,
  isThere: (destination: StoredDestination) => boolean,
  isTaken: boolean,
): Promise<string | null> {
  if (!destination) return 'its outflow names no destination of its business'
  if (!destination.proof || !proofs.api.verifies(destinationMessage(destination), destination.proof))
    return 'its destination has no valid proof of the API'
  if (!isThere(destination)) return 'its outflow goes elsewhere than its destination'
  if (isTaken) return null
  if (destination.needsApproval && !(await hasProvenApproval(tx, proofs.api, 'destination', destination.id)))
    return 'its destination has no approval of a second owner'
  if (destination.isArchived) return 'its destination is archived'
  return destination.isUsable ? null : 'its destination is cooling off'
}

/**
 * Money of a business is held for it in the books, exactly that much. What is in suspense has no owner who
 * could hold it.
 */
export async function refusalOfUnreserved(
  tx: Tx,
  { id, kind, businessId, chain, token, amount }: Outflow,
  isTaken: boolean,
): Promise<string | null> {
  if (kind !== 'payout' && kind !== 'refund') return null
  const [held] = await tx.query<{ amount: string; released: boolean; posted: boolean }>(
    `select (-p.amount)::text as amount,
       exists (select 1 from ledger_entries x where x.reference = $1 and x.cause_kind = $2 and x.kind = $2 || '.released') as released,
       exists (select 1 from ledger_entries x where x.reference = $1 and x.cause_kind = $2 and x.kind = $2 || '.posted') as posted
     from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
     where e.reference = $1 and e.cause_kind = $2 and e.step = 1 and e.business_id = $3 and a.name = 'payouts_held' and a.business_id = $3 and p.asset = $4`,
    [id, kind, businessId, tokenAsset(chain, token)],
  )
  if (!held || BigInt(held.amount) !== amount) return 'its money is not held for it'
  return held.released || (held.posted && !isTaken) ? 'its money is no longer held for it' : null
}

/**
 * What a refund or a return gives back is confirmed, by the rows of the indexer, and not given back already,
 * by the treasury's own record. For what was signed before, it stays.
 */
export async function refusalOfSource(tx: Tx, outflow: Outflow, isTaken: boolean): Promise<string | null> {
  if (isTaken) return null
  await lockSource(tx, outflow)
  return (await isSourceThere(tx, outflow, takenByTreasury))
    ? null
    : 'the payment that it gives back is not confirmed, or was given back'
}
