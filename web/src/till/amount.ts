/** Digits before the point: more is no price. */
const maxWhole = 12

/** A key of the pad. */
export type Key = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '.' | 'back' | 'clear'

/**
 * The amount after a key. What would make no amount changes nothing.
 * @param amount as it is typed: digits, and a point with up to `decimals` digits behind it
 */
export function typed(amount: string, key: Key, decimals: number): string {
  if (key === 'clear') return ''
  if (key === 'back') return amount.slice(0, -1)
  const [whole = '', fraction] = amount.split('.')
  if (key === '.') return fraction !== undefined || decimals === 0 ? amount : `${whole || '0'}.`
  if (fraction !== undefined) return fraction.length < decimals ? amount + key : amount
  if (whole === '0') return key
  return whole.length < maxWhole ? amount + key : amount
}

/** The key of a keyboard that means one of the pad; null: none. */
export function keyOf(pressed: string): Key | null {
  if (/^[0-9]$/.test(pressed)) return pressed as Key
  if (pressed === '.' || pressed === ',') return '.'
  if (pressed === 'Backspace') return 'back'
  return pressed === 'Escape' ? 'clear' : null
}

/** The amount as the API takes it; null while it is none. */
export function readAmount(amount: string): string | null {
  const plain = amount.replace(/\.$/, '')
  return /[1-9]/.test(plain) ? plain : null
}

/** The amount as a person reads it, with what was typed behind the point. */
export function shownAmount(amount: string, locale?: string): string {
  const [whole = '', fraction] = amount.split('.')
  const format = new Intl.NumberFormat(locale)
  const grouped = format.format(BigInt(whole || '0'))
  if (fraction === undefined) return grouped
  const point = format.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  return `${grouped}${point}${fraction}`
}

/** Decimals of a currency, as ISO 4217 has them. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
