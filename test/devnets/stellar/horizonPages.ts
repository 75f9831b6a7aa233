import type { ServerResponse } from 'node:http'
import type { Chain } from './chain.ts'

/** An error in Horizon's format (`application/problem+json`): Stellar docs, Horizon, "Errors". */
export class Problem extends Error {
  readonly status: number
  readonly body: object
  constructor(type: string, title: string, status: number, detail: string, extras?: object) {
    super(title)
    this.status = status
    this.body = {
      type: `https://stellar.org/horizon-errors/${type}`,
      title,
      status,
      detail,
      ...(extras ? { extras } : {}),
    }
  }
}

const badRequestDetail = 'The request you sent was invalid in some way.'

export const invalidParameter = (field: string, reason: string) =>
  new Problem('bad_request', 'Bad Request', 400, badRequestDetail, { invalid_field: field, reason })

export const notFound = () =>
  new Problem(
    'not_found',
    'Resource Missing',
    404,
    'The resource at the url requested was not found.  This usually occurs for one of two reasons:  The url requested is not valid, or no data in our database could be found with the parameters provided.',
  )

export const beforeHistory = () =>
  new Problem(
    'before_history',
    'Data Requested Is Before Recorded History',
    410,
    "This horizon instance is configured to only track a portion of the stellar network's latest history. This request is asking for results prior to the recorded history known to this horizon instance.",
  )

export interface Paged extends Record<string, unknown> {
  paging_token: string
}

export interface Query {
  cursor: string
  descending: boolean
  limit: number
}

/** Stellar docs, Horizon, "Pagination": default 10, maximum 200. */
const [defaultLimit, maxLimit] = [10, 200]

export function queryOf(params: URLSearchParams): Query {
  const [limit, order] = [params.get('limit'), params.get('order')]
  const count = limit === null || limit === '' ? defaultLimit : Number(limit)
  if (!Number.isInteger(count) || count < 1)
    throw invalidParameter('limit', `limit must be a positive number: ${limit}`)
  if (count > maxLimit)
    throw invalidParameter('limit', `limit: value provided that is over limit max of ${maxLimit}`)
  if (order !== null && order !== 'asc' && order !== 'desc')
    throw invalidParameter('order', 'order: invalid value')
  const cursor = params.get('cursor') ?? ''
  if (cursor !== '' && cursor !== 'now' && !/^\d+(-[\da-zA-Z]+)?$/.test(cursor))
    throw invalidParameter('cursor', 'cursor: invalid value')
  return { cursor, descending: order === 'desc', limit: count }
}

/** Compares the numbers before the dash, then the parts after it. */
function compareTokens(a: string, b: string): number {
  const [a1 = '0', a2 = '0'] = a.split('-')
  const [b1 = '0', b2 = '0'] = b.split('-')
  const first = BigInt(a1) - BigInt(b1)
  if (first !== 0n) return first < 0n ? -1 : 1
  if (/^\d+$/.test(a2) && /^\d+$/.test(b2) && a2.length < 20) return Number(a2) - Number(b2)
  return a2 < b2 ? -1 : Number(a2 > b2)
}

/** The query's page of records, which are given in ascending order. */
export function pageOf<T extends Paged>(records: readonly T[], query: Query): T[] {
  const ordered = query.descending ? records.toReversed() : records
  const { cursor } = query
  if (cursor === 'now') return query.descending ? ordered.slice(0, query.limit) : []
  const beyond =
    cursor === ''
      ? ordered
      : ordered.filter(
          ({ paging_token }) => compareTokens(paging_token, cursor) * (query.descending ? -1 : 1) > 0,
        )
  return beyond.slice(0, query.limit)
}

/** A collection in HAL, with its links. */
export function collection(records: readonly Paged[], url: URL, query: Query): object {
  const link = (cursor: string, descending: boolean) => {
    const target = new URL(url)
    target.searchParams.set('cursor', cursor)
    target.searchParams.set('limit', String(query.limit))
    target.searchParams.set('order', descending ? 'desc' : 'asc')
    return { href: target.toString() }
  }
  return {
    _links: {
      self: { href: url.toString() },
      next: link(records.at(-1)?.paging_token ?? query.cursor, query.descending),
      prev: link(records[0]?.paging_token ?? query.cursor, !query.descending),
    },
    _embedded: { records },
  }
}

/**
 * Streams server-sent events: Stellar docs, Horizon, "Streaming". Each record once, from the cursor on, and
 * new ones as ledgers close.
 */
export function stream(chain: Chain, response: ServerResponse, query: Query, records: () => Paged[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.write('retry: 1000\nevent: open\ndata: "hello"\n\n')
  const newest = () => records().at(-1)?.paging_token ?? '0'
  let last = query.cursor === 'now' ? newest() : query.cursor || '0'
  const sendNew = () => {
    for (const record of records()) {
      if (compareTokens(record.paging_token, last) <= 0) continue
      response.write(`id: ${record.paging_token}\ndata: ${JSON.stringify(record)}\n\n`)
      last = record.paging_token
    }
  }
  sendNew()
  const stop = chain.onClose(sendNew)
  response.on('close', stop)
}
