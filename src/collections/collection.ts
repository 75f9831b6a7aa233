import type { ChainName, TokenSymbol } from '../chains/registry.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'

/**
 * `pending`: the partner has not taken it, or it is not known yet if it has. `processing`: it waits for the
 * customer's money, or settles it. `completed` and
 * `refunded` are final; `failed` and `expired` can still follow late money.
 */
export type CollectionStatus = 'pending' | 'processing' | 'completed' | 'expired' | 'failed' | 'refunded'

/** What the chain has of the settlement. */
export type CollectionSettlement = 'none' | 'seen' | 'confirmed' | 'mismatch'

/** Fiat that a partner collects, and settles as crypto to a wallet. */
export interface Collection {
  id: string
  businessId: string
  status: CollectionStatus
  /** A stable code: why it failed, or what it waits for. */
  reason: string | null
  revision: number
  /** Whole units of `currency`. */
  localAmount: bigint
  currency: string
  country: string
  chain: ChainName
  token: TokenSymbol
  /** Normal form. */
  address: string
  /** On stellar. */
  memo: string | null
  partner: string
  channelId: string
  /** Requests to the partner that it did not take. */
  tries: number
  /** From then on the partner may know it; null: it does not. */
  submittedAt: Date | null
  /** When the partner reported that it does not have it. */
  absentSince: Date | null
  /** The first request whose outcome is not known; null: every outcome is known. */
  unsureSince: Date | null
  /** A request after it was refused, for this reason. The partner may have the first one. */
  refusedReason: string | null
  partnerPaymentId: string | null
  /** The partner's own term. */
  partnerStatus: string | null
  partnerUpdatedAt: Date | null
  partnerAskedAt: Date | null
  partnerReference: string | null
  bankName: string | null
  bankAccountNumber: string | null
  bankAccountName: string | null
  /** Amounts as the partner wrote them. */
  cryptoAmount: string | null
  rate: string | null
  networkFeeUsd: string | null
  serviceFeeUsd: string | null
  convertedAmount: string | null
  expiresAt: Date | null
  settlement: CollectionSettlement
  /** The watched wallet. */
  walletId: string | null
  /** The transaction of the settlement, as the partner names it. */
  partnerTxId: string | null
  txId: string | null
  reference: string | null
  metadata: Record<string, unknown> | null
  /** As text, exact: the claim of a worker, which the next change makes another. */
  nextAt: string | null
  createdAt: Date
  updatedAt: Date
  /** When it left `pending` and `processing`. */
  endedAt: Date | null
}

const columns = `id, business_id as "businessId", status, reason, revision, local_amount as "localAmount", currency, country, chain, token, address, memo, partner,
  channel_id as "channelId", tries, submitted_at as "submittedAt", absent_since as "absentSince", unsure_since as "unsureSince", refused_reason as "refusedReason", partner_payment_id as "partnerPaymentId",
  partner_status as "partnerStatus", partner_updated_at as "partnerUpdatedAt", partner_asked_at as "partnerAskedAt", partner_reference as "partnerReference",
  bank_name as "bankName", bank_account_number as "bankAccountNumber", bank_account_name as "bankAccountName", crypto_amount as "cryptoAmount", rate,
  network_fee_usd as "networkFeeUsd", service_fee_usd as "serviceFeeUsd", converted_amount as "convertedAmount", expires_at as "expiresAt", settlement,
  wallet_id as "walletId", partner_tx_id as "partnerTxId", tx_id as "txId", reference, metadata, next_at::text as "nextAt", created_at as "createdAt", updated_at as "updatedAt", ended_at as "endedAt"`

type Row = Omit<Collection, 'localAmount'> & { localAmount: string }
const collectionOf = (row: Row): Collection => ({ ...row, localAmount: BigInt(row.localAmount) })

/** @param condition SQL after `where`, with what follows it */
export const readCollections = async (
  db: Queryable,
  condition: string,
  values: unknown[],
): Promise<Collection[]> =>
  (await db.query<Row>(`select ${columns} from fiat_collections where ${condition}`, values)).map(
    collectionOf,
  )

/** What becomes of a row. */
interface ChangedRow {
  id: string
  /** The revision that it changes. */
  before: number
  /** Columns with their new values. */
  set: Record<string, unknown>
  /** A caller sees the change. */
  isSeen: boolean
  /** False: it is due when it was due before. */
  isDue: boolean
  /** Milliseconds until it is due; null: never. */
  next: number | null
}

/** For `moveCollections` alone, in one statement. @returns the changed rows as they are then */
export async function updateCollections(
  tx: Tx,
  settable: readonly string[],
  rows: readonly ChangedRow[],
): Promise<Collection[]> {
  const after = await tx.query<Row>(
    `with changed as (
       update fiat_collections c set (${settable}) = (select ${settable.map((column) => `r.${column}`)} from jsonb_populate_record(c, n.set) r),
         revision = c.revision + n."isSeen"::int,
         updated_at = case when n."isSeen" then now() else c.updated_at end,
         ended_at = case when not n.set ? 'status' then c.ended_at when n.set->>'status' in ('pending', 'processing') then null else now() end,
         next_at = case when n."isDue" then now() + n.next * interval '1 ms' else c.next_at end
       from jsonb_to_recordset($1::jsonb) as n (id uuid, before int, set jsonb, "isSeen" boolean, "isDue" boolean, next float8)
       where c.id = n.id and c.revision = n.before returning c.*)
     select ${columns} from changed`,
    [JSON.stringify(rows)],
  )
  return after.map(collectionOf)
}

/**
 * A collection of the business.
 * @param lock `for update` in a transaction
 * @throws ApiError 404, also for another business's collection
 */
export async function findCollection(
  db: Queryable,
  businessId: string,
  id: string,
  lock: '' | 'for update' = '',
): Promise<Collection> {
  const [collection] = isUuid(id)
    ? await readCollections(db, `id = $1 and business_id = $2 ${lock}`, [id, businessId])
    : []
  if (!collection) throw notFound('Collection')
  return collection
}
