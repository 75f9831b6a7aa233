import { openText, sealText } from '../custody/sealText.ts'
import type { FieldMistake } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'
import { headersContext } from './sealedColumns.ts'

/**
 * Headers of a business's own, sent with every attempt: names in lower case, and values, which are never
 * shown again.
 */
export type OwnHeaders = Readonly<Record<string, string>>

const maxHeaders = 20
const maxNameLength = 100
const maxValueLength = 1000
/** Of all names and values: receivers limit the size of a request's head. */
const maxTotal = 4096

// Set by Cowry, or by HTTP for one connection. A signature or a length that differs from the body must not be
// possible.
const reserved = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])
const reservedStart = /^(webhook-|proxy-|sec-)/

// RFC 9110, sections 5.1 and 5.5: a token; visible ASCII with spaces and tabs between. CR, LF and NUL are in
// neither.
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const fieldValue = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/

/**
 * Checks the changes to an endpoint's own headers. No message holds a value.
 * @param changes null removes a header
 */
export function requireHeaders(changes: Readonly<Record<string, string | null>>): FieldMistake[] {
  const names = Object.keys(changes)
  const lower = names.map((name) => name.toLowerCase())
  return names.flatMap((name, i) => {
    const isTwice = lower.indexOf(lower[i] ?? '') < i
    const problem =
      problemOf(lower[i] ?? '', changes[name] ?? null) ??
      (isTwice ? { message: 'is given twice', code: 'duplicate' as const } : null)
    return problem === null ? [] : [{ field: `headers.${name.slice(0, maxNameLength)}`, ...problem }]
  })
}

function problemOf(name: string, value: string | null): Omit<FieldMistake, 'field'> | null {
  if (!token.test(name) || name.length > maxNameLength)
    return {
      message: `is not the name of a header of up to ${maxNameLength} characters`,
      code: 'invalid_form',
    }
  if (reserved.has(name) || reservedStart.test(name))
    return { message: 'is reserved: Cowry or HTTP sets this header', code: 'not_possible' }
  if (value === null) return null
  if (value.length > maxValueLength)
    return { message: `must be up to ${maxValueLength} characters`, code: 'too_long' }
  return fieldValue.test(value)
    ? null
    : { message: 'must be visible ASCII characters, with spaces only between them', code: 'unsafe_text' }
}

/** The headers after a change. */
export function changedHeaders(
  before: OwnHeaders,
  changes: Readonly<Record<string, string | null>>,
): OwnHeaders {
  const after = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) after.delete(name.toLowerCase())
    else after.set(name.toLowerCase(), value)
  }
  return Object.fromEntries([...after].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Checks the headers of an endpoint together. */
export function requireHeadersFit(headers: OwnHeaders): FieldMistake[] {
  const all = Object.entries(headers)
  const total = all.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (all.length > maxHeaders)
    return [{ field: 'headers', message: `must be ${maxHeaders} at most`, code: 'too_many' }]
  return total > maxTotal
    ? [
        {
          field: 'headers',
          message: `must have ${maxTotal} characters at most, all names and values together`,
          code: 'too_long',
        },
      ]
    : []
}

/** Sealed with the application key and bound to its endpoint; null without headers. */
export function sealHeaders(key: Secret, endpointId: string, headers: OwnHeaders): Buffer | null {
  if (Object.keys(headers).length === 0) return null
  return sealText(key, headersContext(endpointId), new Secret(JSON.stringify(headers)))
}

export function openHeaders(key: Secret, endpointId: string, sealed: Uint8Array | null): OwnHeaders {
  return sealed === null ? {} : JSON.parse(openText(key, headersContext(endpointId), sealed).reveal())
}
