import type { Language } from './language.ts'
import type { PayableLink } from './types.ts'

export type OpenAmount = NonNullable<PayableLink['openAmount']>

/** The largest that the API takes. */
const form = /^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/

/**
 * An amount as a customer types it, as a decimal string: Arabic digits too, and a comma for the decimals where
 * the language has it. Null: it is no amount.
 */
export function amountIn(text: string, language: Language): string | null {
  const latin = text
    .trim()
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace('\u066b', '.')
  const amount = language === 'fr' || language === 'pt' ? latin.replace(',', '.') : latin
  return form.test(amount) && /[1-9]/.test(amount) ? amount : null
}

export type AmountMistake = 'amountForm' | 'amountDecimals' | 'amountTooSmall' | 'amountTooLarge'

/** Why an amount is not taken; compared exactly. Null: it is. */
export function mistakeOf(
  amount: string | null,
  { decimals, min, max }: Pick<OpenAmount, 'decimals' | 'min' | 'max'>,
): AmountMistake | null {
  if (amount === null) return 'amountForm'
  if ((amount.split('.')[1] ?? '').length > decimals) return 'amountDecimals'
  if (min !== null && unitsOf(amount) < unitsOf(min)) return 'amountTooSmall'
  if (max !== null && unitsOf(amount) > unitsOf(max)) return 'amountTooLarge'
  return null
}

/** The bounds of the link and those of the choice, where both are in the token: the narrower of each. */
export function withinBoth(open: OpenAmount, choice: { min?: string; max?: string } | undefined): OpenAmount {
  if (open.localCurrency !== null) return open
  const { min, max } = choice ?? {}
  return {
    ...open,
    min: min !== undefined && (open.min === null || unitsOf(min) > unitsOf(open.min)) ? min : open.min,
    max: max !== undefined && (open.max === null || unitsOf(max) < unitsOf(open.max)) ? max : open.max,
  }
}

const scale = 18

function unitsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}
