import {
  type FindOptions,
  type Model,
  type ModelStatic,
  Op,
  type Transaction,
  type WhereOptions,
} from 'sequelize'
import { invalidParameters } from './errors.ts'
import { isUuid } from './ids.ts'

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

/** The last row that `page` can reach; beyond it the database would read and discard too many rows. */
const maxRow = 10_000

/** The list parameters of the contract. The validator has filled in the defaults. */
interface ListQuery {
  page?: number
  limit?: number
  sort?: 'ASC' | 'DESC'
  cursor?: string
}

/**
 * Splits a list's query into its page and its filter.
 * @throws ApiError 400 naming `page` if it is too deep
 */
export function splitQuery<Q extends ListQuery>(
  query: Q,
): { filter: Omit<Q, keyof ListQuery>; request: PageRequest } {
  const { page = 1, limit = 20, sort = 'DESC', cursor, ...filter } = query
  if (cursor === undefined && page * limit > maxRow) {
    throw invalidParameters({
      field: 'page',
      message: `reaches beyond ${maxRow} rows; follow nextCursor instead`,
      code: 'too_large',
    })
  }
  return { filter, request: { page, limit, sort, ...(cursor === undefined ? {} : { cursor }) } }
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
  countAll: () => Promise<number> = () => model.count({ where, transaction }),
): Promise<{ rows: M[]; page: Page }> {
  const total = await countAll()
  const rows = await findRows(model, where, request, transaction)
  return { rows, page: pageOf(rows, request, total) }
}

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

/** A cursor is opaque to the caller: the id of the last row, which sorts by time. */
export const encodeCursor = (id: string): string => Buffer.from(id).toString('base64url')

/** @throws ApiError 400 naming `cursor` */
export function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (isUuid(id)) return id
  throw invalidParameters({
    field: 'cursor',
    message: 'is not a value of nextCursor',
    code: 'invalid_cursor',
  })
}
