import { requestApprovals } from '../approvals/requestApproval.ts'
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
  isOverSql,
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

/** A checked destination that is to be saved. */
export interface NewDestination {
  name: string | null
  fingerprint: Buffer
  destination: CheckedDestination
}

/**
 * Stores a new destination.
 * @returns null where an active destination has the same fingerprint
 * @throws ApiError 422 `own_address`
 */
export async function saveDestination(
  ctx: Pick<CreateDestinationContext, 'appKey' | 'prover'>,
  tx: ModelTx,
  {
    by,
    businessId,
    ...named
  }: { businessId: string; name: string | null; fingerprint: Buffer; by: DestinationMaker },
  destination: CheckedDestination,
): Promise<DestinationRow | null> {
  if (destination.kind === 'wallet') await refuseOwnAddress(tx, destination.chain.family, destination.address)
  const [row] = await saveDestinations(ctx, tx, { businessId, by }, [{ ...named, destination }])
  return row ?? null
}

/**
 * Stores new destinations, none of which is the platform's own address (`refuseOwnAddress`).
 * @param of.batchId of the payout batch that names them: its approval is theirs, too
 * @returns those of which no active destination has the same fingerprint
 */
export async function saveDestinations(
  ctx: Pick<CreateDestinationContext, 'appKey' | 'prover'>,
  tx: ModelTx,
  { businessId, by, batchId }: { businessId: string; by: DestinationMaker; batchId?: string },
  wanted: readonly NewDestination[],
): Promise<DestinationRow[]> {
  await lockBusiness(tx, businessId)
  const isMembers = by.accountId !== null || by.apiKeyId !== null
  const needsApproval = isMembers && (await targetNeedsApproval(tx, businessId))
  await archiveUnapproved(
    tx,
    businessId,
    wanted.map(({ fingerprint }) => fingerprint),
  )
  const { hours, at } = await readCoolingOff(tx, businessId)
  const to = { businessId, usableFrom: new Date(at.getTime() + hours * hourMs), createdAt: at, needsApproval }
  const rows = await tx.query<DestinationRow>(insertDestinations, [
    JSON.stringify(wanted.map((each) => toStore(ctx, to, each))),
  ])
  const ids = rows.map(({ id }) => id)
  if (needsApproval && ids.length > 0)
    await requestApprovals(tx, { businessId, subject: 'destination', ...by, batchId: batchId ?? null }, ids)
  return rows
}

/** One whose approval was not given in time may be saved again. */
async function archiveUnapproved(tx: ModelTx, businessId: string, fingerprints: Buffer[]): Promise<void> {
  await tx.query(
    `update payout_destinations d set archived_at = now()
     where d.business_id = $1 and d.fingerprint = any($2::bytea[]) and d.archived_at is null and ${isOverSql}`,
    [businessId, fingerprints],
  )
}

interface ToStore {
  businessId: string
  usableFrom: Date
  /** By the database's clock. */
  createdAt: Date
  /** Of a second owner. */
  needsApproval: boolean
}

const hourMs = 3_600_000

const columns = `id, business_id, kind, name, fingerprint, network_id, bank_name, country, currency, sealed_account,
  chain, address, memo, memo_type, usable_from, proof, created_at, needs_approval`

const insertDestinations = `insert into payout_destinations as d (${columns})
  select ${columns} from json_populate_recordset(null::payout_destinations, $1::json)
  on conflict (business_id, fingerprint) where archived_at is null do nothing returning ${destinationColumns}`

/** A row, as `json_populate_recordset` takes it. */
function toStore(
  ctx: Pick<CreateDestinationContext, 'appKey' | 'prover'>,
  { businessId, usableFrom, createdAt, needsApproval }: ToStore,
  { name, fingerprint, destination }: NewDestination,
) {
  const id = newId()
  const bank = destination.kind === 'bank' ? destination : null
  const wallet = destination.kind === 'wallet' ? destination : null
  const place = {
    chain: wallet?.chain.name ?? null,
    address: wallet?.address ?? null,
    memo: wallet?.memo?.value ?? null,
  }
  const proof = ctx.prover.prove(
    destinationMessage({
      id,
      businessId,
      kind: destination.kind,
      networkId: bank?.bank.id ?? null,
      currency: bank?.currency ?? null,
      ...place,
      memoType: wallet?.memo?.type ?? null,
      usableFrom,
      needsApproval,
    }),
  )
  return {
    id,
    business_id: businessId,
    kind: destination.kind,
    name,
    fingerprint: inHex(fingerprint),
    network_id: bank?.bank.id ?? null,
    bank_name: bank?.bank.name ?? null,
    country: bank?.bank.countryCode ?? null,
    currency: bank?.currency ?? null,
    sealed_account:
      bank && inHex(sealAccount(ctx.appKey, { id, businessId, networkId: bank.bank.id }, bank.account)),
    ...place,
    memo_type: wallet?.memo?.type ?? null,
    usable_from: usableFrom,
    proof: inHex(proof),
    created_at: createdAt,
    needs_approval: needsApproval,
  }
}

const inHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`

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
