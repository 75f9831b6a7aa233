import { isCountry, notCountry } from '../platform/countries.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'

/** @throws ApiError 400 naming each wrong field */
export function requirePossible({
  country,
  dob,
}: {
  country?: string | undefined
  dob?: string | undefined
}): void {
  const mistakes: FieldMistake[] = []
  if (country !== undefined && !isCountry(country))
    mistakes.push({ field: 'country', message: notCountry, code: 'invalid_country' })
  if (dob !== undefined && !isDay(dob))
    mistakes.push({ field: 'dob', message: 'is not a day of the calendar', code: 'invalid_date' })
  else if (dob !== undefined && dob > new Date().toISOString().slice(0, 10))
    mistakes.push({ field: 'dob', message: 'must not be in the future', code: 'in_future' })
  if (mistakes.length > 0) throw invalidBody(...mistakes)
}

/** As 1990-12-31, in the calendar. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(text)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
