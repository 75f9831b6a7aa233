import type { Request, Response } from 'express'
import type { Answer, AnswerForm } from '../../src/http/request.ts'
import { byteOrderMark, csvLine, csvType } from '../../src/platform/csv.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { type Contract, type Operation, operationsOf } from '../contract.ts'
import { type Column, cellOf, listColumns } from './listColumns.ts'
import { rowsOfList } from './rowsOfList.ts'

/** Makes an answer a file, where its caller wants one. */
export interface CsvAnswers {
  /** @throws ApiError 406 for an operation that has no such file, before anything is done */
  formOf(operation: Operation, request: Request): AnswerForm
  /** @param body of the answer, as its caller gets it */
  send(operation: Operation, answer: Answer, body: object, request: Request, response: Response): void
}

interface List {
  property: string
  columns: Column[]
}

const types = { json: 'application/json', csv: 'text/csv', pdf: 'application/pdf' } as const

/** CSV of a contract's lists, with the columns of their schemas; of others, what their handlers make. */
export function csvAnswers(contract: Contract): CsvAnswers {
  const operations = new Map(
    operationsOf(contract).map(({ operation }) => [operation.operationId, operation]),
  )
  const lists = new Map<string, List>()
  const contentOf = ({ operationId }: Operation): object =>
    (operations.get(operationId)?.responses['200'] as { content?: object } | undefined)?.content ?? {}
  const listOf = ({ operationId }: Operation): List | undefined => {
    const operation = operations.get(operationId)
    const rows = operation && rowsOfList(contract.components, operation)
    const list =
      lists.get(operationId) ??
      (rows && { property: rows.property, columns: listColumns(contract.components, rows.schema) })
    if (list) lists.set(operationId, list)
    return list
  }
  return {
    formOf(operation, request) {
      const others = Object.keys(contentOf(operation)).filter((each) => each !== types.json)
      const best = request.accepts([types.json, ...others])
      const named = files.find((form) => (request.headers.accept ?? '').toLowerCase().includes(types[form]))
      if (best === false && named) throw noFile(named)
      return files.find((form) => types[form] === best) ?? 'json'
    },
    send(operation, { status, csv }, body, request, response) {
      const list = listOf(operation)
      const text = csv?.() ?? (list && linesOf(list, body))
      if (text === undefined) throw new Error(`${operation.operationId} made no CSV`)
      const next = nextOf(request, body)
      if (next !== null) response.setHeader('Link', `<${next}>; rel="next"`)
      response.setHeader('Content-Disposition', `attachment; filename="${fileName(operation)}.csv"`)
      response.status(status).type(csvType)
      response.send(wantsMark(request) ? byteOrderMark + text : text)
    },
  }
}

const files = ['csv', 'pdf'] as const

const noFile = (form: (typeof files)[number]) =>
  new ApiError(
    406,
    'Not acceptable',
    form === 'csv'
      ? 'This has no CSV: lists and statements have it. Send Accept: application/json'
      : 'This is no PDF: statements are. Send Accept: application/json',
  )

/** `bom=true`: spreadsheets then read the file as UTF-8. */
export const wantsMark = ({ query }: Pick<Request, 'query'>): boolean =>
  (query as { bom?: unknown }).bom === true

/** The query without what concerns the form of the answer alone. */
export function withoutForm(query: unknown): unknown {
  const { bom: _, ...rest } = (query ?? {}) as { bom?: unknown }
  return rest
}

function linesOf({ property, columns }: List, body: object): string {
  const rows = (body as Record<string, unknown[]>)[property] ?? []
  const lines = rows.map((row) => csvLine(columns.map((column) => cellOf(row, column))))
  return csvLine(columns.map(({ name }) => name)) + lines.join('')
}

/** The address of the next page, relative to the host. */
function nextOf({ originalUrl }: Request, body: object): string | null {
  const { nextCursor, nextBefore } = body as { nextCursor?: unknown; nextBefore?: unknown }
  const [name, place] =
    typeof nextBefore === 'number' ? ['before', String(nextBefore)] : ['cursor', nextCursor]
  if (typeof place !== 'string') return null
  const [path = ''] = originalUrl.split('?', 1)
  const search = new URLSearchParams(originalUrl.slice(path.length + 1))
  search.delete('page')
  search.set(name, place)
  return `${path}?${search}`
}

/** `listSessionsOfBusiness` is `sessions`. */
const fileName = ({ operationId }: Operation): string =>
  operationId
    .replace(/OfBusiness$/, '')
    .replace(/^(list|get)/, '')
    .replace(/\B[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase()
