import { FieldProblem } from '../../ui/FieldProblem.ts'
import { trimmed } from '../formData.ts'
import type { Metadata, MonitoredTokens } from './types.ts'

/** A JSON object; null if the field is empty. @throws FieldProblem */
export function readMetadata(text: string): Metadata | null {
  if (text.trim() === '') return null
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FieldProblem({ metadata: 'Enter a JSON object, such as {"order": "1234"}.' })
  }
  return value as Metadata
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const readTokens = (text: string): MonitoredTokens => (text === 'all' ? 'all' : 'known')

/** A height; undefined if the field is empty. */
export const readFromBlock = (data: FormData): number | undefined =>
  trimmed(data, 'fromBlock') ? Number(trimmed(data, 'fromBlock')) : undefined

/** Whether two values are equal, in any order of their names. */
export const sameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one, inOrder) === JSON.stringify(other, inOrder)

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
