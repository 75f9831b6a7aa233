import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHandler } from 'express'
import { type FieldMistake, invalidParameters, shownField } from '../../src/platform/errors.ts'
import { brokenUtf8At } from '../../src/platform/utf8.ts'

/**
 * Refuses what would be changed in silence when a path or a query is read: bytes that are not UTF-8 would
 * become replacement characters, numbers that are not finite would pass as Infinity, and integers past 2^53
 * would lose digits. It reads all of the URL, with all its parameters, and the headers that are stored.
 * @throws ApiError 400 naming `path`, the field of the query, or the header
 */
export const refuseUnreadable: RequestHandler = (request, _response, next) => {
  const [path = '', ...rest] = request.originalUrl.split('?')
  const wrong = [
    ...problemsOfPath(path),
    ...problemsOfQuery(rest.join('?')),
    ...problemsOfHeaders(request.headers),
  ]
  if (wrong.length > 0) throw invalidParameters(...wrong)
  next()
}

function problemsOfPath(path: string): FieldMistake[] {
  const [problem] = path.split('/').flatMap((segment) => problemOf(segment) ?? [])
  return problem === undefined ? [] : [{ field: 'path', ...problem }]
}

function problemsOfQuery(query: string): FieldMistake[] {
  const wrong = new Map<string, Problem>()
  for (const pair of query.split('&')) {
    const [name = '', ...rest] = pair.replaceAll('+', ' ').split('=')
    const problem = problemOf(name) ?? problemOf(rest.join('='))
    if (problem !== null) wrong.set(shownField(bytesOf(name).toString()), problem)
  }
  return [...wrong].map(([field, problem]) => ({ field, ...problem }))
}

/** Headers that are stored as they came; others have a form of their own. */
const storedHeaders = { 'user-agent': 'User-Agent' } as const

const problemsOfHeaders = (headers: IncomingHttpHeaders = {}): FieldMistake[] =>
  Object.entries(storedHeaders).flatMap(([name, field]) => {
    const value = headers[name]
    return typeof value === 'string' && brokenUtf8At(Buffer.from(value, 'latin1')) !== null
      ? [{ field, message: 'is not valid UTF-8', code: 'unsafe_text' }]
      : []
  })

type Problem = Omit<FieldMistake, 'field'>

/** The reason to refuse a part of a URL. */
function problemOf(part: string): Problem | null {
  if (part === '') return null
  // Node gives each byte as a character.
  if (/[^\0-\x7f]/.test(part)) return { message: 'must be percent-encoded', code: 'unsafe_text' }
  const bytes = part.includes('%') ? bytesOf(part) : null
  if (bytes && brokenUtf8At(bytes) !== null) return { message: 'is not valid UTF-8', code: 'unsafe_text' }
  return problemOfNumber((bytes?.toString() ?? part).trim())
}

/** The same for a text that may be a number. Digits in other notations are addresses and hashes. */
function problemOfNumber(text: string): Problem | null {
  const value = Number(text)
  if (text === '' || Number.isNaN(value)) return null
  if (!Number.isFinite(value)) return { message: 'is not a finite number', code: 'inexact_number' }
  return /^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(text) && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? { message: 'is a number past 2^53', code: 'inexact_number' }
    : null
}

/**
 * The bytes of a percent-encoded text. A percent sign without two hex digits stays one, as Node reads a
 * query.
 */
const bytesOf = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
