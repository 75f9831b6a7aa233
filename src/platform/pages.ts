import { ApiError } from './errors.ts'
import { isUuid } from './ids.ts'

export interface PageRequest {
  page: number
  limit: number
  sort: 'ASC' | 'DESC'
  /** Continues after the last row of an earlier page; `page` is then only echoed. */
  cursor?: string
}

export interface Page {
  total: number
  page: number
  limit: number
  totalPages: number
  /** For the next page; null on the last. */
  nextCursor: string | null
}

/** Rows that `page` reaches at most; beyond them the database would read and throw away too much. */
export const deepestRow = 10_000

/** @throws ApiError 400 naming `page` when it lies too deep */
export function requireShallow({ page, limit, cursor }: PageRequest): void {
  if (cursor === undefined && page * limit > deepestRow) {
    const message = `reaches beyond ${deepestRow} rows; follow nextCursor instead`
    throw new ApiError(400, 'Invalid request parameters', `page: ${message}`, { fields: [{ field: 'page', message }] })
  }
}

export function pageOf({ page, limit }: PageRequest, total: number, nextCursor: string | null): Page {
  return { total, page, limit, totalPages: Math.ceil(total / limit), nextCursor }
}

/** A cursor is opaque to the caller: the id of the last row, which sorts by time. */
export const encodeCursor = (id: string): string => Buffer.from(id).toString('base64url')

/** @throws ApiError 400 naming `cursor` */
export function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (isUuid(id)) return id
  throw new ApiError(400, 'Invalid request parameters', 'cursor: is not one of nextCursor', {
    fields: [{ field: 'cursor', message: 'is not one of nextCursor' }],
  })
}
