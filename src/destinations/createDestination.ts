import { requestApproval } from '../approvals/requestApproval.ts'
import type { Prover } from '../custody/proof.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { ApiError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { readCoolingOff } from './coolingOffSetting.ts'
import {
  type DestinationRow,
  type DestinationView,
  destinationColumns,
  presentDestination,
} from './destination.ts'
import { destinationMessage } from './destinationProof.ts'
import { fingerprintOf } from './fingerprint.ts'
import {
  type CheckedDestination,
  type ReadContext,
  readDestination,
  type WantedDestination,
} from './readDestination.ts'
import { refuseOwnAddress } from './refuseOwnAddress.ts'
import { sealAccount } from './sealedAccount.ts'
import { targetNeedsApproval } from './targetApproval.ts'

export interface CreateDestinationContext extends ReadContext {
  db: ModelDb
  appKey: Secret
  /** The key of hashes that stay when APP_KEY is rolled. */
  requestKey(): Promise<Secret>
  /** Proves destinations to the treasury. */
  prover: Prover
}

/** Who saves a destination; neither: a command. */
export interface DestinationMaker {
  accountId: string | null
  apiKeyId: string | null
}
const ofOperator: DestinationMaker = { accountId: null, apiKeyId: null }

/**
 * Saves a destination. Payouts may go there when the cooling-off time that the business has now is over and,
 * where it needs that, a second owner has approved it.
 * @param also runs in the same transaction
 * @throws ApiError 400 that names the field; 409 `destination_exists`; 422 `own_address`,
 * `recipient_is_token`, `recipient_without_key`; 503 `banks_unavailable`
 */
export async function createDestination(
  ctx: CreateDestinationContext,
  businessId: string,
  wanted: WantedDestination,
  also: (tx: ModelTx, result: DestinationView) => Promise<void>,
  by: DestinationMaker = ofOperator,
): Promise<DestinationView> {
  const destination = await readDestination(ctx, wanted)
  const fingerprint = fingerprintOf(await ctx.requestKey(), businessId, destination)
  return ctx.db.tx(async (tx) => {
    const row = await saveDestination(
      ctx,
      tx,
      { businessId, by, name: wanted.name?.trim() ?? null, fingerprint },
      destination,
    )
    if (!row) throw await destinationExists(tx, businessId, fingerprint)
    const view = presentDestination(ctx, row)
    await also(tx, view)
    return view
  })
}

/**
 * Stores a new destination.
 * @returns null where an active destination has the same fingerprint
 * @throws ApiError 422 `own_address`
 */
export async function saveDestination(
  ctx: Pick<CreateDestinationContext, 'appKey' | 'prover'>,
  tx: ModelTx,
  { by, ...named }: { businessId: string; name: string | null; fingerprint: Buffer; by: DestinationMaker },
  destination: CheckedDestination,
): Promise<DestinationRow | null> {
  if (destination.kind === 'wallet') await refuseOwnAddress(tx, destination.chain.family, destination.address)
  const { businessId } = named
  await lockBusiness(tx, businessId)
  const isMembers = by.accountId !== null || by.apiKeyId !== null
  const needsApproval = isMembers && (await targetNeedsApproval(tx, businessId))
  await archiveUnapproved(tx, businessId, named.fingerprint)
  const { hours, at } = await readCoolingOff(tx, businessId)
  const row = await insert(
    ctx,
    tx,
    { id: newId(), ...named, hours, createdAt: at, needsApproval },
    destination,
  )
  if (row && needsApproval)
    await requestApproval(tx, { businessId, subject: 'destination', subjectId: row.id, ...by })
  return row
}

/** One whose approval was not given in time may be saved again. */
async function archiveUnapproved(tx: ModelTx, businessId: string, fingerprint: Buffer): Promise<void> {
  await tx.query(
    `update payout_destinations d set archived_at = now()
     where d.business_id = $1 and d.fingerprint = $2 and d.archived_at is null and d.needs_approval and exists (
       select 1 from approvals a where a.subject = 'destination' and a.subject_id = d.id and a.decision is null and a.expires_at <= now())`,
    [businessId, fingerprint],
  )
}

interface ToStore {
  id: string
  businessId: string
  name: string | null
  fingerprint: Buffer
  /** The cooling-off time. */
  hours: number
  /** By the database's clock. */
  createdAt: Date
  /** Of a second owner. */
  needsApproval: boolean
}

const hourMs = 3_600_000

async function insert(
  ctx: Pick<CreateDestinationContext, 'appKey' | 'prover'>,
  tx: ModelTx,
  { id, businessId, name, fingerprint, hours, createdAt, needsApproval }: ToStore,
  destination: CheckedDestination,
): Promise<DestinationRow | null> {
  const bank = destination.kind === 'bank' ? destination : null
  const wallet = destination.kind === 'wallet' ? destination : null
  const usableFrom = new Date(createdAt.getTime() + hours * hourMs)
  const proof = ctx.prover.prove(
    destinationMessage({
      id,
      businessId,
      kind: destination.kind,
      networkId: bank?.bank.id ?? null,
      currency: bank?.currency ?? null,
      chain: wallet?.chain.name ?? null,
      address: wallet?.address ?? null,
      memo: wallet?.memo?.value ?? null,
      memoType: wallet?.memo?.type ?? null,
      usableFrom,
      needsApproval,
    }),
  )
  const [row] = await tx.query<DestinationRow>(
    `insert into payout_destinations as d (id, business_id, kind, name, fingerprint, network_id, bank_name, country, currency, sealed_account,
       chain, address, memo, memo_type, usable_from, proof, created_at, needs_approval)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     on conflict (business_id, fingerprint) where archived_at is null do nothing returning ${destinationColumns}`,
    [
      id,
      businessId,
      destination.kind,
      name,
      fingerprint,
      bank?.bank.id,
      bank?.bank.name,
      bank?.bank.countryCode,
      bank?.currency,
      bank && sealAccount(ctx.appKey, { id, businessId, networkId: bank.bank.id }, bank.account),
      wallet?.chain.name,
      wallet?.address,
      wallet?.memo?.value,
      wallet?.memo?.type,
      usableFrom,
      proof,
      createdAt,
      needsApproval,
    ],
  )
  return row ?? null
}

async function destinationExists(tx: ModelTx, businessId: string, fingerprint: Buffer): Promise<ApiError> {
  const [held] = await tx.query<{ id: string }>(
    'select id from payout_destinations where business_id = $1 and fingerprint = $2 and archived_at is null',
    [businessId, fingerprint],
  )
  return new ApiError(
    409,
    'destination_exists',
    `This account or address is already saved${held ? `, as the destination ${held.id}` : ''}`,
  )
}
