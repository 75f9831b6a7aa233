import { ApiError, codedFields, type FieldMistake, firstFields, refusalCode } from '../../platform/errors.ts'

/** What is wrong with one entry of a batch, or with the batch (`at` null). */
export interface Mistake extends FieldMistake {
  /** The place of the entry. */
  at: number | null
}

/** A refusal that is about the business, and not about an entry. */
const ofBusiness = 'legal_profile_missing'

/**
 * Runs a check of one entry.
 * @returns null where it has a mistake, which is added to `found`
 * @throws ApiError for what is no mistake of the entry
 */
export async function collected<T>(
  found: Mistake[],
  at: number,
  check: () => T | Promise<T>,
): Promise<T | null> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ApiError) || !isOfEntry(error)) throw error
    found.push(...codedFields(error).map(({ code, ...field }) => ({ at, ...field, code: refusalCode(code) })))
    return null
  }
}

const isOfEntry = ({ status, error, fields }: ApiError): boolean =>
  (status === 400 || status === 422) && fields !== undefined && error !== ofBusiness

/**
 * The answer for these mistakes: 400 that names them by `payouts.<place>.<field>`, in the order of the
 * entries.
 */
export function batchRefused(found: readonly Mistake[]): ApiError {
  const sorted = found.toSorted((one, other) => (one.at ?? -1) - (other.at ?? -1))
  const named = sorted.map(({ at, field, message, code }) => ({
    field: at === null ? field : `payouts.${at}.${field}`,
    message,
    code,
  }))
  const { fields, text } = firstFields(named)
  return new ApiError(400, 'Invalid request body', text, { fields })
}
