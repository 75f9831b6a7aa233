import { isCountry, notCountry } from '../platform/countries.ts'
import { type FieldError, invalidBody } from '../platform/errors.ts'

/** @throws ApiError 400 naming each wrong field */
export function requirePossible({
  country,
  dob,
}: {
  country?: string | undefined
  dob?: string | undefined
}): void {
  const mistakes: FieldError[] = []
  if (country !== undefined && !isCountry(country)) mistakes.push({ field: 'country', message: notCountry })
  if (dob !== undefined && !isDay(dob))
    mistakes.push({ field: 'dob', message: 'is not a day of the calendar' })
  else if (dob !== undefined && dob > new Date().toISOString().slice(0, 10))
    mistakes.push({ field: 'dob', message: 'must not be in the future' })
  if (mistakes.length > 0) throw invalidBody(...mistakes)
}

/** As 1990-12-31, in the calendar. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
