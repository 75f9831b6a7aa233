/** Decimals that are shown of an amount from one on; a smaller one has as many digits after its zeros. */
const places = 6

const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: places })

/**
 * A decimal as people read it: whole part in groups, `−` for a minus. What is long is rounded toward zero,
 * never to nothing.
 */
export function readable(exact: string): { text: string; isRounded: boolean } {
  const isNegative = exact.startsWith('-')
  const [whole = '', fraction = ''] = exact.replace('-', '').split('.')
  const zeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
  const kept = fraction.slice(0, Math.max(places, zeros + 2)).replace(/0+$/, '')
  const units = grouped.format(BigInt(whole))
  const text = `${isNegative ? '−' : ''}${units}${kept && `${point}${kept}`}`
  return { text, isRounded: kept !== fraction.replace(/0+$/, '') }
}

/** The reader's decimal point. */
const point = grouped.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
