import { shownForm } from '../chains/codecs.ts'
import type { Secret } from '../platform/secrets.ts'
import { masked } from './mask.ts'
import { openAccount } from './sealedAccount.ts'

export type DestinationKind = 'bank' | 'wallet'
export type DestinationStatus = 'awaiting_approval' | 'cooling_off' | 'usable' | 'archived'
type MemoType = 'text' | 'id' | 'hash'

const isApprovedSql = `exists (
  select 1 from approvals p where p.subject = 'destination' and p.subject_id = d.id and p.decision = 'approved')`

/** SQL: the state of the destination `d`. */
export const statusSql = `case when d.archived_at is not null then 'archived' when d.needs_approval and not ${isApprovedSql} then 'awaiting_approval'
  when d.usable_from > now() then 'cooling_off' else 'usable' end`

/** SQL: the approval of the destination `d` was not given in time: as an archived one, it may be saved again. */
export const isOverSql = `(d.needs_approval and exists (
  select 1 from approvals p where p.subject = 'destination' and p.subject_id = d.id and p.decision is null and p.expires_at <= now()))`

/** SQL: the columns of `DestinationRow`, of the destination `d`. */
export const destinationColumns = `d.id, d.business_id as "businessId", d.kind, ${statusSql} as status, d.name, d.network_id as "networkId",
  d.bank_name as "bankName", d.country, d.currency, d.sealed_account as "sealedAccount", d.chain, d.address, d.memo, d.memo_type as "memoType",
  d.usable_from as "usableFrom", d.created_at as "createdAt", d.archived_at as "archivedAt"`

/** A bank account has no columns of a wallet, and the other way round. */
export interface DestinationRow {
  id: string
  businessId: string
  kind: DestinationKind
  status: DestinationStatus
  name: string | null
  networkId: string | null
  bankName: string | null
  country: string | null
  currency: string | null
  sealedAccount: Buffer | null
  chain: string | null
  address: string | null
  memo: string | null
  memoType: MemoType | null
  usableFrom: Date
  createdAt: Date
  archivedAt: Date | null
}

/** A destination as the API shows it: with a masked account number. */
export type DestinationView = ReturnType<typeof presentDestination>

export function presentDestination(ctx: { appKey: Secret }, row: DestinationRow) {
  const { businessId, sealedAccount, usableFrom, createdAt, archivedAt, address, ...shown } = row
  const { networkId } = row
  const account =
    sealedAccount && networkId !== null
      ? openAccount(ctx.appKey, { id: row.id, businessId, networkId }, sealedAccount)
      : null
  return {
    ...shown,
    address: address && shownForm(address),
    accountNumber: account && masked(account.number.reveal()),
    accountName: account?.holder ?? null,
    usableFrom: usableFrom.toISOString(),
    createdAt: createdAt.toISOString(),
    archivedAt: archivedAt?.toISOString() ?? null,
  }
}

/** The fields of a destination in the audit log: nothing of a bank account but its bank. */
export function auditedDestination({
  kind,
  name,
  bankName,
  country,
  currency,
  chain,
  address,
  memo,
  usableFrom,
}: DestinationView) {
  const about =
    kind === 'bank' ? { bankName, country, currency } : { chain, address, ...(memo !== null && { memo }) }
  return { kind, name, ...about, usableFrom }
}
