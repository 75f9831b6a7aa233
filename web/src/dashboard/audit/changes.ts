export interface Change {
  field: string
  before: string
  after: string
}

type Fields = Record<string, unknown>

/** Before and after, field by field, as text. */
export function changesOf(before: Fields | null, after: Fields | null): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.map((field) => ({
    field: inWords(field),
    before: shown(before, field),
    after: shown(after, field),
  }))
}

/** `key.created` as `Key created`. */
export function actionLabels(action: string): string {
  const words = action.replace(/[._]/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `feePercent` as `Fee percent`. */
function inWords(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function shown(fields: Fields | null, name: string): string {
  if (!fields || !Object.hasOwn(fields, name)) return '–'
  return valueInWords(fields[name])
}

function valueInWords(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (typeof value === 'string') return value === '' ? 'empty' : value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueInWords).join(', ')
  return Object.entries(value)
    .map(([key, each]) => `${key}: ${valueInWords(each)}`)
    .join('; ')
}
