/** Exact fractions, without the product's code. */
interface Fraction {
  n: bigint
  d: bigint
}

/** A decimal text as a fraction. */
function fraction(text: string): Fraction {
  const [whole = '0', part = ''] = text.split('.')
  return { n: BigInt(`${whole}${part}`), d: 10n ** BigInt(part.length) }
}

const product = (factors: readonly Fraction[]): Fraction =>
  factors.reduce((all, { n, d }) => ({ n: all.n * n, d: all.d * d }), { n: 1n, d: 1n })
const whole = (n: bigint): Fraction => ({ n, d: 1n })
const inverse = (d: bigint): Fraction => ({ n: 1n, d })

/** Simple interest of a year of 365 days, in percent, rounded down. */
export function exactRewards(amount: bigint, apy: string, elapsedMs: number): bigint {
  if (elapsedMs <= 0) return 0n
  const { n, d } = product([
    whole(amount),
    fraction(apy),
    whole(BigInt(elapsedMs)),
    inverse(1000n),
    inverse(365n * 86_400n),
    inverse(100n),
  ])
  return n / d
}

/** Rounded up. */
export function exactPenalty(amount: bigint, percent: string): bigint {
  const { n, d } = product([whole(amount), fraction(percent), inverse(100n)])
  return (n + d - 1n) / d
}
