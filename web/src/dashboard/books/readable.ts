import { exactText } from '../../ui/exactText.ts'

/** Decimals that are shown of an amount from one on; a smaller one has as many digits after its zeros. */
const places = 6

const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 })

/**
 * A decimal as people read it: whole part in groups, `−` for a minus. What is long is rounded toward zero,
 * never to nothing.
 */
export function readable(exact: string): { text: string; isRounded: boolean } {
  const isNegative = exact.startsWith('-')
  const [whole = '', fraction = ''] = exact.replace('-', '').split('.')
  const zeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
  const kept = fraction.slice(0, Math.max(places, zeros + 2)).replace(/0+$/, '')
  const text = `${isNegative ? '−' : ''}${exactText(grouped, `${whole}.${kept}`)}`
  return { text, isRounded: kept !== fraction.replace(/0+$/, '') }
}
