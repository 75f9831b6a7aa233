import type { Chain } from '../chains/registry.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { invalidParameters } from '../platform/errors.ts'
import {
  type Created,
  decodeCursor,
  maxCounted,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import type { CheckoutUrl } from './checkout/checkoutToken.ts'
import type { SessionException, SessionStatus } from './model.ts'
import { presentSession, type SessionView } from './present.ts'
import { readHeights } from './readHeights.ts'
import { asSettled, readPayments } from './readPayments.ts'
import { readRefunds } from './readRefunds.ts'
import { findSessions, maxFound } from './search/findSessions.ts'
import type { SearchPart } from './search/searchParts.ts'
import { type Range, walkParts } from './search/walkParts.ts'
import { type StoredSession, sessionColumns } from './storedSession.ts'

export interface SessionFilter extends Created {
  chain?: string
  token?: string
  status?: readonly SessionStatus[]
  exception?: readonly SessionException[]
  reference?: string
  /** Of this payment link. */
  linkId?: string
  /** See `searchParts`. */
  search?: string
}

export interface SessionsContext {
  db: ModelDb
  chains: readonly Chain[]
  checkoutUrl: CheckoutUrl
}

/**
 * Sessions of the business, newest first unless requested otherwise. `total` stops at 10,000, with `search` at
 * 1,000, and with other filters beside it possibly at 100.
 * @throws ApiError 400 naming `cursor`
 */
export async function listSessions(
  ctx: SessionsContext,
  businessId: string,
  filter: SessionFilter,
  request: PageRequest,
): Promise<Page & { sessions: SessionView[] }> {
  return ctx.db.snapshot(async (tx) => {
    const matching = await matchingSessions(ctx, tx, businessId, filter)
    const total = await countSessions(tx, matching)
    const sessions = total === 0 ? [] : await readSessions(ctx, tx, matching, request)
    return { sessions, ...pageOf(sessions, request, total) }
  })
}

/** Which rows of `pos_sessions` a filter has. */
export interface Matching {
  where: string
  values: unknown[]
  /** How far to count. */
  countedTo: number
  /** Of these rows, those that one of the parts finds: many, of which so many were counted. */
  search?: { parts: SearchPart[]; counted: number; range: Range }
}

export async function matchingSessions(
  ctx: Pick<SessionsContext, 'chains'>,
  tx: ModelTx,
  businessId: string,
  { chain, token, status, exception, reference, linkId, search, since, until }: SessionFilter,
): Promise<Matching> {
  const values: unknown[] = [businessId]
  const conditions = ['business_id = $1']
  const add = (value: unknown, condition: string) => {
    if (value !== undefined) conditions.push(`${condition} $${values.push(value)}`)
  }
  const addSeveral = (given: readonly string[] | undefined, column: string) => {
    // One value alone keeps the plan of an index in the order of the list.
    if (given?.length === 1) add(given[0], `${column} =`)
    else if (given) conditions.push(`${column} = any($${values.push(given)}::text[])`)
  }
  add(chain, 'chain =')
  add(token, 'token =')
  addSeveral(status, 'status')
  addSeveral(exception, 'exception')
  add(reference, 'reference =')
  add(linkId, 'link_id =')
  add(since, 'created_at >=')
  add(until, 'created_at <')
  const rows = { where: conditions.join(' and '), values }
  if (search === undefined) return { ...rows, countedTo: maxCounted }
  const range: Range = { businessId, ...rows, since, until, sort: 'DESC' }
  const found = await findSessions(ctx, tx, range, search.trim(), values.length > 1)
  if ('parts' in found) return { ...rows, countedTo: found.counted, search: { ...found, range } }
  const { condition, values: more } =
    'ids' in found ? { condition: `id = any($${values.length + 1}::uuid[])`, values: [found.ids] } : found
  return { where: `${rows.where} and ${condition}`, values: [...values, ...more], countedTo: maxFound }
}

async function countSessions(tx: ModelTx, { where, values, countedTo, search }: Matching): Promise<number> {
  if (search) return search.counted
  // Without a filter in the order of lists: their index alone counts them, and the table is not read.
  const order = values.length === 1 ? 'order by created_at desc, id desc' : ''
  const [row] = await tx.query<{ n: string }>(
    `select count(*)::text as n from (select 1 from pos_sessions where ${where} ${order} limit ${countedTo}) first`,
    values,
  )
  return Number(row?.n ?? 0)
}

/** The sessions of a page. @throws ApiError 400 naming `cursor` */
export async function readSessions(
  ctx: Pick<SessionsContext, 'chains' | 'checkoutUrl'>,
  tx: ModelTx,
  matching: Matching,
  request: PageRequest,
): Promise<SessionView[]> {
  const rows = await readRows(tx, matching, request)
  const ids = rows.map(({ id }) => id)
  const payments = asSettled(await readPayments(tx, ids))
  const refunds = await readRefunds(tx, ids)
  const context = { ...ctx, heights: await readHeights(tx) }
  return rows.map((session) =>
    presentSession(
      session,
      payments.filter((payment) => payment.sessionId === session.id),
      context,
      refunds.filter((refund) => refund.sessionId === session.id),
    ),
  )
}

async function readRows(
  tx: ModelTx,
  { where, values, search }: Matching,
  { page, limit, sort, cursor }: PageRequest,
): Promise<StoredSession[]> {
  const after = cursor === undefined ? undefined : await placeOf(tx, String(values[0]), decodeCursor(cursor))
  const offset = cursor === undefined ? (page - 1) * limit : 0
  const order = `order by created_at ${sort}, id ${sort}`
  if (search) {
    const ids = await take(walkParts(tx, { ...search.range, sort, after }, search.parts), offset, limit)
    return tx.query(`select ${sessionColumns} from pos_sessions where id = any($1::uuid[]) ${order}`, [ids])
  }
  const all = [...values]
  const from = after
    ? ` and (created_at, id) ${sort === 'ASC' ? '>' : '<'} ($${all.push(after.createdAt)}::timestamptz, $${all.push(after.id)}::uuid)`
    : ''
  // First the ids, which indexes have; then their rows.
  return tx.query(
    `select ${sessionColumns} from pos_sessions where id = any(array(
       select id from pos_sessions where ${where}${from} ${order} limit ${limit} offset ${offset}
     )) ${order}`,
    all,
  )
}

/** The ids of a page of places. */
async function take(
  places: AsyncGenerator<{ id: string }>,
  offset: number,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  let passed = 0
  for await (const { id } of places) {
    if (passed++ >= offset) ids.push(id)
    if (ids.length === limit) break
  }
  return ids
}

/** The place of a session in the order of lists. @throws ApiError 400 naming `cursor` */
async function placeOf(
  tx: ModelTx,
  businessId: string,
  id: string,
): Promise<{ id: string; createdAt: string }> {
  const [row] = await tx.query<{ createdAt: string }>(
    'select created_at::text as "createdAt" from pos_sessions where id = $1 and business_id = $2',
    [id, businessId],
  )
  if (!row)
    throw invalidParameters({
      field: 'cursor',
      message: 'is not a value of nextCursor',
      code: 'invalid_cursor',
    })
  return { id, createdAt: row.createdAt }
}
