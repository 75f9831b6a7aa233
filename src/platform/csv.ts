/** A text, an exact decimal, or nothing. */
export type CsvValue = string | { number: string } | null

/**
 * One line of CSV (RFC 4180). A text that a spreadsheet would calculate has an apostrophe in front (OWASP,
 * "CSV injection"), also after `;` and a tab, which separate cells in some regions; a number may start with
 * its sign.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cell).join(',')}\r\n`

function cell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value === 'object') return value.number
  const text = (/^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value).replace(/([;\t]\s*)(?=[=+\-@])/g, "$1'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The media type of a file with a first line of names (RFC 4180, RFC 7111). */
export const csvType = 'text/csv; charset=utf-8; header=present'

/** In front of a file: spreadsheets read it as UTF-8 then. */
export const byteOrderMark = '\ufeff'
