import { invalidParameters } from './errors.ts'

/** @throws ApiError 400 naming the later end of a range that is not one */
export function requireRange(start: { field: string; time: Date }, end: { field: string; time: Date }): void {
  if (end.time <= start.time)
    throw invalidParameters({
      field: end.field,
      message: `must be after ${start.field}`,
      code: 'invalid_range',
    })
}
