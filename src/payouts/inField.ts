import { ApiError } from '../platform/errors.ts'

/** Runs a check of a part of a request: its errors name the fields as the whole request has them. */
export async function inField<T>(name: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields === undefined) throw error
    const fields = error.fields.map(({ field, ...rest }) => ({ field: `${name}.${field}`, ...rest }))
    throw new ApiError(
      error.status,
      error.error,
      fields.map(({ field, message }) => `${field}: ${message}`).join('; '),
      { fields, cause: error },
    )
  }
}
