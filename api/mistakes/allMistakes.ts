import { ApiError, codedFields, type FieldMistake, firstFields } from '../../src/platform/errors.ts'
import type { Operation } from '../contract.ts'
import { type OwnCheck, type OwnCheckContext, ownChecks } from './ownChecks.ts'

/**
 * The error of a request, with the mistakes that it did not come to: a handler stops at its first one, and one
 * that the contract refuses is not handled at all.
 */
export function withAllMistakes(
  ctx: OwnCheckContext,
  { operationId }: Pick<Operation, 'operationId'>,
  body: unknown,
  error: unknown,
): unknown {
  if (!(error instanceof ApiError) || error.status !== 400 || !error.fields) return error
  const checks = ownChecks[operationId.replace(/OfBusiness$/, '')]
  if (!checks || typeof body !== 'object' || body === null || Array.isArray(body)) return error
  const found: FieldMistake[] = codedFields(error) as FieldMistake[]
  const isWrong = (field: string) => found.some((each) => covers(each.field, field))
  const before = found.length
  for (const each of checks)
    for (const mistake of mistakesOf(ctx, each, body as Record<string, unknown>, isWrong))
      if (!isWrong(mistake.field)) found.push(mistake)
  if (found.length === before) return error
  const { fields, text } = firstFields(found)
  return new ApiError(400, error.error, text, { fields, cause: error.cause })
}

/** A mistake in a part of a field is one of the field. */
const covers = (wrong: string, field: string): boolean =>
  wrong === field || wrong.startsWith(`${field}.`) || field.startsWith(`${wrong}.`)

function mistakesOf(
  ctx: OwnCheckContext,
  { reads, unless = [], check }: OwnCheck,
  body: Record<string, unknown>,
  isWrong: (field: string) => boolean,
): FieldMistake[] {
  if ([...reads, ...unless].some(isWrong)) return []
  const texts = reads.map((path) => textAt(body, path))
  if (!texts.every((each) => each !== null)) return []
  try {
    check(ctx, texts, body)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.status === 400 ? (codedFields(error) as FieldMistake[]) : []
  }
}

function textAt(body: Record<string, unknown>, path: string): string | null {
  let value: unknown = body
  for (const step of path.split('.'))
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string, unknown>)[step]
        : undefined
  return typeof value === 'string' ? value : null
}
