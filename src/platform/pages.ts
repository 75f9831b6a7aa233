import {
  type FindOptions,
  type Model,
  type ModelStatic,
  Op,
  QueryTypes,
  type Transaction,
  Utils,
  type WhereOptions,
} from 'sequelize'
import { invalidParameters } from './errors.ts'
import { firstIdAt, firstIdSql, isUuid } from './ids.ts'
import { requireRange } from './requireRange.ts'

export interface PageRequest {
  page: number
  limit: number
  sort: 'ASC' | 'DESC'
  /** Continues after the last row of an earlier page; `page` is then only repeated in the answer. */
  cursor?: string | undefined
}

export interface Page {
  total: number
  page: number
  limit: number
  totalPages: number
  /** Cursor of the next page; null on the last. */
  nextCursor: string | null
}

/**
 * The last row that `page` can reach; beyond it the database would read and discard too many rows. Nothing
 * beyond is counted.
 */
export const maxCounted = 10_000

/** The list parameters of the contract. The validator has filled in the defaults. */
interface ListQuery {
  page?: number
  limit?: number
  sort?: 'ASC' | 'DESC'
  cursor?: string
  since?: string | undefined
  until?: string | undefined
}

/** When the rows of a list were created: from a time on, and before one. */
export interface Created {
  since?: Date | undefined
  until?: Date | undefined
}

export type FilterOf<Q> = Omit<Q, keyof ListQuery> & Created

/**
 * Reads a list's query: its page, and its filter with the times read.
 * @throws ApiError 400 naming `page` if it is too deep, or `until` if it is not after `since`
 */
export function splitQuery<Q extends ListQuery>(query: Q): { filter: FilterOf<Q>; request: PageRequest } {
  const { page = 1, limit = 20, sort = 'DESC', cursor, ...rest } = query
  const filter = withTimes(rest) as FilterOf<Q>
  if (cursor === undefined && page * limit > maxCounted) {
    throw invalidParameters({
      field: 'page',
      message: `reaches beyond ${maxCounted} rows; follow nextCursor instead`,
      code: 'too_large',
    })
  }
  return { filter, request: { page, limit, sort, ...(cursor === undefined ? {} : { cursor }) } }
}

/** A filter with its times read: the contract has checked their form. @throws ApiError 400 naming `until` */
export function withTimes<F extends Pick<ListQuery, 'since' | 'until'>>({
  since,
  until,
  ...filter
}: F): Omit<F, 'since' | 'until'> & Created {
  const created = {
    ...(since !== undefined && { since: new Date(since) }),
    ...(until !== undefined && { until: new Date(until) }),
  }
  if (created.since && created.until)
    requireRange({ field: 'since', time: created.since }, { field: 'until', time: created.until })
  return { ...filter, ...created }
}

/**
 * Maximum difference between a row's id, made by a process's clock, and its time, which the database may set.
 */
const clockDriftMs = 3_600_000

/**
 * Bounds of the ids of rows created within these times: from the first on, and before the second. Lists are in
 * the order of ids, so that their index need not read what is newer or older.
 */
export const idsWithin = ({ since, until }: Created): { from?: string; before?: string } => ({
  ...(since && { from: firstIdAt(since.getTime() - clockDriftMs) }),
  ...(until && { before: firstIdAt(until.getTime() + clockDriftMs) }),
})

/** The condition on a model's column with the time of creation, and on its `id`. */
export function createdWithin(created: Created, column = 'createdAt'): WhereOptions {
  const { since, until } = created
  const { from, before } = idsWithin(created)
  if (!since && !until) return {}
  return {
    [column]: { ...(since && { [Op.gte]: since }), ...(until && { [Op.lt]: until }) },
    id: { ...(from && { [Op.gte]: from }), ...(before && { [Op.lt]: before }) },
  }
}

/**
 * The same in SQL, with its `and`, for statements that number their values.
 * @param id the column with the id; null: it has no time
 * @param place the number of the first of two values: `since` and `until`, or null
 */
export function createdSql(column: string, id: string | null, place: number): string {
  const side = (operator: '>=' | '<', value: string, sign: '-' | '+') => {
    const bound = firstIdSql(`${value} ${sign} interval '${clockDriftMs} ms'`)
    const inOrder = id === null ? '' : ` and ${id} ${operator} ${bound}`
    return ` and (${value}::timestamptz is null or ${column} ${operator} ${value}${inOrder})`
  }
  return side('>=', `$${place}`, '-') + side('<', `$${place + 1}`, '+')
}

/**
 * One page of a model whose ids are UUIDv7: their order is the order of creation, without ties.
 * @param countAll returns the total if it is known without counting
 * @throws ApiError 400 naming `cursor`
 */
export async function findPage<M extends Model & { id: string }>(
  model: ModelStatic<M>,
  where: WhereOptions,
  request: PageRequest,
  transaction: Transaction | null = null,
  countAll: () => Promise<number> = () => countRows(model, where, transaction),
): Promise<{ rows: M[]; page: Page }> {
  const total = await countAll()
  const rows = await findRows(model, where, request, transaction)
  return { rows, page: pageOf(rows, request, total) }
}

/** Up to `maxCounted`. Sequelize has no count with a limit, so it writes the rows' statement and this counts them. */
async function countRows<M extends Model & { id: string }>(
  model: ModelStatic<M>,
  where: WhereOptions,
  transaction: Transaction | null,
): Promise<number> {
  const { sequelize } = model
  if (!sequelize) throw new Error(`${model.name} has no database`)
  const options = Utils.mapFinderOptions({ attributes: ['id'], where }, model)
  const generator = sequelize.getQueryInterface().queryGenerator as SelectGenerator
  const rows = generator
    .selectQuery(model.getTableName(), { ...options, limit: maxCounted }, model)
    .replace(/;$/, '')
  const [counted] = await sequelize.query<{ n: number }>(`select count(*)::int as n from (${rows}) counted`, {
    type: QueryTypes.SELECT,
    transaction,
  })
  return counted?.n ?? 0
}

/** The part of Sequelize that writes statements, which its types leave out. */
interface SelectGenerator {
  selectQuery(table: unknown, options: FindOptions, model: ModelStatic<Model>): string
}

/** Counts the rows that `from …` has, up to `maxCounted`, as `n`. */
export const countSql = (from: string): string =>
  `select count(*)::int as n from (select 1 ${from} limit ${maxCounted}) counted`

/**
 * The rows of one page.
 * @throws ApiError 400 naming `cursor`
 */
export function findRows<M extends Model & { id: string }>(
  model: ModelStatic<M>,
  where: WhereOptions,
  { page, limit, sort, cursor }: PageRequest,
  transaction: Transaction | null = null,
): Promise<M[]> {
  return model.findAll({
    where:
      cursor === undefined
        ? where
        : { [Op.and]: [where, { id: { [sort === 'ASC' ? Op.gt : Op.lt]: decodeCursor(cursor) } }] },
    order: [['id', sort]],
    transaction,
    limit,
    offset: cursor === undefined ? (page - 1) * limit : 0,
  } as FindOptions)
}

/** The page's fields other than its rows. */
export function pageOf(rows: readonly { id: string }[], { page, limit }: PageRequest, total: number): Page {
  const last = rows.at(-1)
  return {
    total,
    page,
    limit,
    totalPages: Math.ceil(total / limit),
    nextCursor: last && rows.length === limit ? encodeCursor(last.id) : null,
  }
}

/** Case-insensitive substring condition; `%` and `_` match literally. */
export const containing = (part: string) => ({ [Op.iLike]: `%${part.replace(/[\\%_]/g, '\\$&')}%` })

/** Rows that a sequence numbers have their place in cursors in the form of a UUID (version 8, RFC 9562). */
export const idOfNumber = (number: string | number): string =>
  `00000000-0000-8000-8000-${BigInt(number).toString(16).padStart(12, '0')}`

/** @throws ApiError 400 naming `cursor` */
export function decodeNumber(cursor: string): string {
  const id = decodeCursor(cursor)
  if (!id.startsWith('00000000-0000-8000-8000-')) throw noCursor()
  return BigInt(`0x${id.slice(-12)}`).toString()
}

/** A cursor is opaque to the caller: the id of the last row, which sorts by time. */
export const encodeCursor = (id: string): string => Buffer.from(id).toString('base64url')

/** @throws ApiError 400 naming `cursor` */
export function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (isUuid(id)) return id
  throw noCursor()
}

const noCursor = () =>
  invalidParameters({ field: 'cursor', message: 'is not a value of nextCursor', code: 'invalid_cursor' })
