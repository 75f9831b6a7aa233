/** Dollars and local money are hundredths in here. */

/** `1234n` as `12.34`, `1200n` as `12`. */
export function decimalOf(hundredths: bigint): string {
  const sign = hundredths < 0n ? '-' : ''
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0')
  const fraction = digits.slice(-2).replace(/0+$/, '')
  return `${sign}${digits.slice(0, -2)}${fraction === '' ? '' : `.${fraction}`}`
}

/** A number of a JSON answer, digit by digit: a double would change large ones. */
export const jsonNumber = (text: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text)

/** `400.52` as `40052n`; rates have two places at most. */
export function hundredthsOf(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  if (fraction.length > 2) throw new Error(`${decimal} has more than two places`)
  return BigInt(whole + fraction.padEnd(2, '0'))
}
