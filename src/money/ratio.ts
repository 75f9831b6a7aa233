/** Exact decimals, as fractions. */
export interface Ratio {
  numerator: bigint
  denominator: bigint
}

/** @returns null unless it is a decimal number such as 0.02, above zero */
export function ratioOf(text: string): Ratio | null {
  const [, whole, part = ''] = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) return null
  const numerator = BigInt(whole + part)
  return numerator > 0n ? { numerator, denominator: 10n ** BigInt(part.length) } : null
}
