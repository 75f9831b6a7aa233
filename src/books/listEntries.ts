import { type BusinessAccountName, businessAccountNames } from '../ledger/account.ts'
import type { Db, Queryable } from '../platform/db.ts'
import { decodeCursor, type Page, type PageRequest, pageOf } from '../platform/pages.ts'
import { type AssetsContext, assetIn, inWholeUnits, type LedgerAsset, requireAsset } from './assets.ts'
import { entriesEndBefore, firstEntryFrom, requireRange } from './times.ts'

export interface EntryFilter {
  account?: BusinessAccountName
  asset?: string
  kind?: string
  reference?: string
  /** Inclusive. */
  since?: Date
  /** Exclusive. */
  until?: Date
}

export interface EntryView {
  id: string
  kind: string
  cause: string
  reference: string
  sessionId: string | null
  description: string | null
  reverses: string | null
  createdAt: string
  /** On the business's accounts alone. */
  postings: (Pick<LedgerAsset, 'asset' | 'symbol' | 'decimals'> & { account: BusinessAccountName; amount: string })[]
}

/** A page reaches no further by its number, so nothing beyond is counted. */
const maxCounted = 10_000

/**
 * A business's entries, newest first unless requested otherwise. `total` stops at 10,000.
 * @throws ApiError 400 naming `asset`, `until` or `cursor`
 */
export async function listEntries(
  ctx: AssetsContext & { db: Db },
  businessId: string,
  filter: EntryFilter,
  request: PageRequest,
): Promise<Page & { entries: EntryView[] }> {
  requireFilter(ctx, filter)
  return ctx.db.snapshot(async (tx) => {
    const conditions = conditionsOf(businessId, filter)
    const { where, accounts, values } = conditions
    const matching = accounts === null ? `select 1 from ledger_entries e where e.business_id = $1${where('e.id')}` : entriesOf(accounts, where)
    const [counted] = await tx.query<{ n: string }>(`select count(*)::text as n from (${matching} limit ${maxCounted}) first`, values)
    const entries = await readEntries(ctx, tx, businessId, conditions, request)
    return { entries, ...pageOf(entries, request, Number(counted?.n ?? 0)) }
  })
}

/** @throws ApiError 400 naming `asset` or `until` */
export function requireFilter(ctx: AssetsContext, { asset, since, until }: EntryFilter): void {
  if (asset !== undefined) requireAsset(ctx, asset)
  if (since && until) requireRange({ field: 'since', time: since }, { field: 'until', time: until })
}

interface Conditions {
  /** On entry `e` of business $1, each with its `and`. @param id the column with its id that an index is read by */
  where: (id: string) => string
  /** On account `a` of business $1, of which an entry touches one; null: any. */
  accounts: string | null
  values: unknown[]
}

export function conditionsOf(businessId: string, filter: EntryFilter): Conditions {
  const { account, asset, kind, reference, since, until } = filter
  const values: unknown[] = [businessId]
  const conditions: ((id: string) => string)[] = []
  const add = (value: unknown, condition: (placeholder: string, id: string) => string) => {
    const placeholder = `$${values.push(value)}`
    conditions.push((id) => condition(placeholder, id))
  }
  if (kind !== undefined) add(kind, (to) => `e.kind = ${to}`)
  if (reference !== undefined) add(reference, (to) => `e.reference = ${to}`)
  if (since) {
    add(firstEntryFrom(since), (to, id) => `${id} >= ${to}`)
    add(since, (to) => `e.created_at >= ${to}`)
  }
  if (until) {
    add(entriesEndBefore(until), (to, id) => `${id} < ${to}`)
    add(until, (to) => `e.created_at < ${to}`)
  }
  const where = (id: string) => conditions.map((condition) => ` and ${condition(id)}`).join('')
  if (account === undefined && asset === undefined) return { where, accounts: null, values }
  // Every name, because the index of accounts begins with it.
  const accounts = `a.name = any($${values.push(account === undefined ? businessAccountNames : [account])}::text[])`
  return { where, accounts: asset === undefined ? accounts : `${accounts} and a.asset = $${values.push(asset)}`, values }
}

/**
 * The ids of the entries that touch accounts of the business, of each account at most so many: the entries of the business would all be read, and sorted.
 * An entry of an account of a business is the business's, so that entries are read only where a condition needs them.
 */
function entriesOf(accounts: string, where: Conditions['where'], order = `order by p.entry_id limit ${maxCounted}`): string {
  const conditions = where('p.entry_id')
  const joined = conditions === '' ? '' : 'join ledger_entries e on e.id = p.entry_id'
  return `select distinct of.entry_id from ledger_accounts a cross join lateral (
      select distinct p.entry_id from ledger_postings p ${joined} where p.account_id = a.id${conditions} ${order}) of
    where a.business_id = $1 and ${accounts}`
}

/** The entries of a page, with their postings. @throws ApiError 400 naming `cursor` */
export async function readEntries(
  ctx: AssetsContext,
  tx: Queryable,
  businessId: string,
  { where, accounts, values }: Conditions,
  { page, limit, sort, cursor }: PageRequest,
): Promise<EntryView[]> {
  const all = [...values]
  const after = cursor === undefined ? null : `${sort === 'ASC' ? '>' : '<'} $${all.push(decodeCursor(cursor))}`
  const matching = (id: string) => where(id) + (after ? ` and ${id} ${after}` : '')
  const last = `$${all.push(limit)}::int`
  const offset = `$${all.push(cursor === undefined ? (page - 1) * limit : 0)}::int`
  const candidates =
    accounts === null
      ? `ledger_entries e where e.business_id = $1${matching('e.id')}`
      : `(${entriesOf(accounts, matching, `order by p.entry_id ${sort} limit ${last} + ${offset}`)}) of join ledger_entries e on e.id = of.entry_id`
  const rows = await tx.query<Omit<EntryView, 'createdAt' | 'postings'> & { createdAt: Date }>(
    `select e.id, e.kind, e.cause_kind as cause, e.reference, s.session_id as "sessionId", j.reason as description, e.reverses, e.created_at as "createdAt"
     from (select e.* from ${candidates} order by e.id ${sort} limit ${last} offset ${offset}) e
     -- Some causes have no uuid: cast where there is one.
     left join session_payments s on s.detection_id = case when e.cause_kind = 'session_payment' then e.reference::uuid end
     left join ledger_adjustments j on j.id = case when e.cause_kind = 'adjustment' then e.reference::uuid
       when e.kind = 'suspense.given' then (
         select id from ledger_adjustments where suspense_payment = e.reference::uuid and decision = 'approved') end
     order by e.id ${sort}`,
    all,
  )
  const postings = await readPostings(
    ctx,
    tx,
    businessId,
    rows.map(({ id }) => id),
  )
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString(), postings: postings.get(row.id) ?? [] }))
}

async function readPostings(
  ctx: AssetsContext,
  tx: Queryable,
  businessId: string,
  entryIds: readonly string[],
): Promise<Map<string, EntryView['postings']>> {
  const rows = await tx.query<{ entryId: string; account: BusinessAccountName; asset: string; amount: string }>(
    `select p.entry_id as "entryId", a.name as account, p.asset, (case a.normal_side when 'debit' then p.amount else -p.amount end)::text as amount
     from ledger_postings p join ledger_accounts a on a.id = p.account_id
     where p.entry_id = any($1::uuid[]) and a.business_id = $2 order by p.id`,
    [entryIds, businessId],
  )
  const byEntry = new Map<string, EntryView['postings']>()
  for (const { entryId, account, asset: name, amount } of rows) {
    const { asset, symbol, decimals } = assetIn(ctx, name)
    const posting = { account, asset, symbol, decimals, amount: inWholeUnits(amount, { decimals }) }
    byEntry.set(entryId, [...(byEntry.get(entryId) ?? []), posting])
  }
  return byEntry
}
