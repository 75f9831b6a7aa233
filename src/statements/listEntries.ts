import type { BusinessAccountName } from '../ledger/account.ts'
import { maxIdDrift } from '../ledger/idDrift.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import {
  type Created,
  decodeCursor,
  maxCounted,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import { type AssetsContext, assetIn, inWholeUnits, type LedgerAsset, requireAsset } from './assets.ts'
import { type CauseFacts, type CausePart, causeKey, noFacts, readCauses } from './causes.ts'
import { leavingKinds } from './leavingKinds.ts'
import { correctedMonth, readClosedMonths } from './months.ts'
import { entriesEndBefore, firstEntryFrom } from './times.ts'

export interface EntryFilter extends Created {
  account?: BusinessAccountName
  asset?: string
  kind?: string
  reference?: string
  /** Entries of the payments of this session. */
  sessionId?: string
}

export interface EntryView {
  id: string
  kind: string
  cause: string
  reference: string
  sessionId: string | null
  description: string | null
  reverses: string | null
  /** The closed month that it corrects. */
  corrects: string | null
  merchantReference: CauseFacts['merchantReference']
  transaction: CauseFacts['transaction']
  fiat: CauseFacts['fiat']
  payee: CauseFacts['payee']
  createdAt: string
  /** On the business's accounts alone. */
  postings: PostingView[]
}

export interface PostingView extends Pick<LedgerAsset, 'asset' | 'symbol' | 'decimals'> {
  account: BusinessAccountName
  amount: string
  /** What it consists of, where money left: fee, margin, rounding, and what was paid. Their sum is `amount`. */
  parts: { part: CausePart['part']; amount: string; fiat: CausePart['fiat'] }[]
}

/** Kinds of entries that take back what was posted before. */
const correcting = '[.](corrected|reverted|returned|reversed)$'

/**
 * A business's entries, newest first unless requested otherwise. `total` stops at 10,000.
 * @throws ApiError 400 naming `asset` or `cursor`
 */
export async function listEntries(
  ctx: AssetsContext & { db: Db },
  businessId: string,
  filter: EntryFilter,
  request: PageRequest,
): Promise<Page & { entries: EntryView[] }> {
  requireFilter(ctx, filter)
  return ctx.db.snapshot(async (tx) => {
    const conditions = await conditionsOf(tx, businessId, filter)
    const [counted] = await tx.query<{ n: string }>(
      `select count(*)::text as n from (${matchingOf(filter, conditions)} limit ${maxCounted}) first`,
      conditions.values,
    )
    const entries = await readEntries(ctx, tx, businessId, conditions, request)
    return { entries, ...pageOf(entries, request, Number(counted?.n ?? 0)) }
  })
}

/** A row for each entry of the filter. */
function matchingOf({ account, asset, ...others }: EntryFilter, { where, accounts }: Conditions): string {
  // One account of the business has the business's entries alone: its index is enough.
  if (
    account !== undefined &&
    asset !== undefined &&
    Object.values(others).every((each) => each === undefined)
  )
    return `select distinct p.entry_id from ledger_postings p
      where p.account_id = (select a.id from ledger_accounts a where a.business_id = $1 and a.id = any(${accounts}::bigint[]))`
  const touched =
    accounts &&
    ` and exists (select 1 from ledger_postings p where p.entry_id = e.id and p.account_id = any(${accounts}::bigint[]))`
  return `select 1 from ledger_entries e where e.business_id = $1${where('e.id')}${touched ?? ''}`
}

/** @throws ApiError 400 naming `asset` */
export function requireFilter(ctx: AssetsContext, { asset }: EntryFilter): void {
  if (asset !== undefined) requireAsset(ctx, asset)
}

interface Conditions {
  /**
   * On entry `e` of business $1, each with its `and`. @param id the column with its id that an index is read
   * by
   */
  where: (id: string) => string
  /** The placeholder of the accounts of which an entry touches one; null: any. */
  accounts: string | null
  values: unknown[]
}

export async function conditionsOf(
  tx: Queryable,
  businessId: string,
  filter: EntryFilter,
): Promise<Conditions> {
  const { account, asset, kind, reference, sessionId, since, until } = filter
  const values: unknown[] = [businessId]
  const conditions: ((id: string) => string)[] = []
  const add = (value: unknown, condition: (placeholder: string, id: string) => string) => {
    const placeholder = `$${values.push(value)}`
    conditions.push((id) => condition(placeholder, id))
  }
  if (kind !== undefined) add(kind, (to) => `e.kind = ${to}`)
  if (reference !== undefined) add(reference, (to) => `e.reference = ${to}`)
  if (sessionId !== undefined)
    add(
      sessionId,
      (to) =>
        `e.cause_kind = 'session_payment' and e.reference in (select detection_id::text from session_payments where session_id = ${to})`,
    )
  const driftMs = since || until ? await maxIdDrift(tx) : 0
  if (since) {
    add(firstEntryFrom(since, driftMs), (to, id) => `${id} >= ${to}`)
    add(since, (to) => `e.created_at >= ${to}`)
  }
  if (until) {
    add(entriesEndBefore(until, driftMs), (to, id) => `${id} < ${to}`)
    add(until, (to) => `e.created_at < ${to}`)
  }
  const where = (id: string) => conditions.map((condition) => ` and ${condition(id)}`).join('')
  if (account === undefined && asset === undefined) return { where, accounts: null, values }
  return { where, accounts: `$${values.push(await accountIdsOf(tx, businessId, account, asset))}`, values }
}

async function accountIdsOf(
  tx: Queryable,
  businessId: string,
  account: string | undefined,
  asset: string | undefined,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'select id::text from ledger_accounts where business_id = $1 and name = coalesce($2, name) and asset = coalesce($3, asset)',
    [businessId, account ?? null, asset ?? null],
  )
  return rows.map(({ id }) => id)
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
  const after =
    cursor === undefined ? null : `${sort === 'ASC' ? '>' : '<'} $${all.push(decodeCursor(cursor))}`
  const matching = (id: string) => where(id) + (after ? ` and ${id} ${after}` : '')
  const last = `$${all.push(limit)}::int`
  const offset = `$${all.push(cursor === undefined ? (page - 1) * limit : 0)}::int`
  // The first of each account by the index of its postings: the entries of the business would all be read,
  // and sorted. With a plain comparison of the business Postgres expects few of them, because it does not
  // know that the account is the business's.
  const candidates =
    accounts === null
      ? `ledger_entries e where e.business_id = $1${matching('e.id')}`
      : `(select distinct of.entry_id from unnest(${accounts}::bigint[]) as a(id) cross join lateral (
           select distinct p.entry_id from ledger_postings p join ledger_entries e on e.id = p.entry_id
           where p.account_id = a.id and coalesce(e.business_id = $1, false)${matching('p.entry_id')} order by p.entry_id ${sort} limit ${last} + ${offset}) of) of
         join ledger_entries e on e.id = of.entry_id`
  const rows = await tx.query<EntryRow>(
    `select e.id, e.kind, e.cause_kind as cause, e.reference, e.reverses, e.created_at as "createdAt",
       -- When what it takes back was posted: the newest before it that is no correction itself.
       case when e.reverses is not null then (select o.created_at from ledger_entries o where o.id = e.reverses)
         when e.kind ~ '${correcting}' and e.cause_kind <> 'verification' then (
           select o.created_at from ledger_entries o
           where o.cause_kind = e.cause_kind and o.reference = e.reference and o.business_id = $1 and o.id < e.id and o.kind !~ '${correcting}'
           order by o.id desc limit 1) end as origin,
       -- Some causes have no uuid: cast where there is one. A payment may have been sent back in vain before it was given.
       case when e.cause_kind = 'adjustment' then (select reason from ledger_adjustments where id = e.reference::uuid)
         when e.kind = 'suspense.given' then (
           select reason from ledger_adjustments
           where suspense_payment = e.reference::uuid and decision = 'approved' and to_address is null) end as description
     from (select e.* from ${candidates} order by e.id ${sort} limit ${last} offset ${offset}) e
     order by e.id ${sort}`,
    all,
  )
  const causes = await readCauses(ctx, tx, businessId, rows)
  const months = rows.some(({ origin }) => origin !== null) ? await readClosedMonths(tx, businessId) : []
  const postings = await readPostings(
    ctx,
    tx,
    businessId,
    rows.map(({ id }) => id),
  )
  return rows.map(({ createdAt, origin, ...row }) => {
    const { parts, ...facts } = causes.get(causeKey(row)) ?? noFacts
    return {
      ...row,
      ...facts,
      corrects: correctedMonth(months, { origin, createdAt }),
      createdAt: createdAt.toISOString(),
      postings: (postings.get(row.id) ?? []).map((posting) => withParts(row, posting, parts)),
    }
  })
}

type EntryRow = Pick<EntryView, 'id' | 'kind' | 'cause' | 'reference' | 'description' | 'reverses'> & {
  createdAt: Date
  origin: Date | null
}

interface Posted extends Omit<PostingView, 'parts' | 'amount'> {
  /** Base units. */
  amount: bigint
}

/** With what a posting consists of, where these parts are all of it. */
function withParts(
  { kind }: Pick<EntryRow, 'kind'>,
  { amount, ...posting }: Posted,
  parts: readonly CausePart[],
): PostingView {
  const { decimals } = posting
  const all = parts.reduce((sum, part) => sum + part.amount, 0n)
  const isWhole = leavingKinds.some((each) => each === kind) && (amount === all || amount === -all)
  const sign = amount < 0n ? -1n : 1n
  return {
    ...posting,
    amount: inWholeUnits(amount, { decimals }),
    parts: isWhole
      ? parts.map(({ part, amount: of, fiat }) => ({
          part,
          amount: inWholeUnits(of * sign, { decimals }),
          fiat,
        }))
      : [],
  }
}

async function readPostings(
  ctx: AssetsContext,
  tx: Queryable,
  businessId: string,
  entryIds: readonly string[],
): Promise<Map<string, Posted[]>> {
  const rows = await tx.query<{
    entryId: string
    account: BusinessAccountName
    asset: string
    amount: string
  }>(
    `select p.entry_id as "entryId", a.name as account, p.asset, (case a.normal_side when 'debit' then p.amount else -p.amount end)::text as amount
     from ledger_postings p join ledger_accounts a on a.id = p.account_id
     where p.entry_id = any($1::uuid[]) and a.business_id = $2 order by p.id`,
    [entryIds, businessId],
  )
  const byEntry = new Map<string, Posted[]>()
  for (const { entryId, account, asset: name, amount } of rows) {
    const { asset, symbol, decimals } = assetIn(ctx, name)
    const posting = { account, asset, symbol, decimals, amount: BigInt(amount) }
    byEntry.set(entryId, [...(byEntry.get(entryId) ?? []), posting])
  }
  return byEntry
}
