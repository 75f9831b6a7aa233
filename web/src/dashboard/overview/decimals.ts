const decimalForm = /^(\d+)(?:\.(\d+))?$/

/** The exact sum of decimals such as `12.50`. @throws Error for any other text */
export function sumOfDecimals(texts: readonly string[]): string {
  const read = texts.map((text) => {
    const [, whole, fraction = ''] = decimalForm.exec(text) ?? []
    if (whole === undefined) throw new Error(`not a decimal: ${text}`)
    return { digits: whole + fraction, scale: fraction.length }
  })
  const scale = Math.max(0, ...read.map((each) => each.scale))
  const sum = read.reduce(
    (all, each) => all + BigInt(each.digits.padEnd(each.digits.length + scale - each.scale, '0')),
    0n,
  )
  const digits = sum.toString().padStart(scale + 1, '0')
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - scale)
  return scale > 0 && fraction !== '' ? `${whole}.${fraction}` : whole
}
