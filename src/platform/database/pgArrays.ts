const unsafe = /["\\]/
const escaped = /["\\]/g

/**
 * A column of many rows as a Postgres array, for `unnest`. The driver's own conversion takes three times as
 * long.
 */
export function pgArray(values: readonly (string | number | null)[]): string {
  let text = '{'
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as string | number | null
    if (at > 0) text += ','
    if (value === null) text += 'NULL'
    else if (typeof value === 'number') text += value
    else text += `"${unsafe.test(value) ? value.replace(escaped, '\\$&') : value}"`
  }
  return `${text}}`
}

/** The same, or null if no row has a value: `unnest` fills the column up. */
export const pgArrayOrNull = (values: readonly (string | number | null)[]): string | null =>
  values.some((value) => value !== null) ? pgArray(values) : null
