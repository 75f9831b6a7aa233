/**
 * Currencies whose minor unit is not a hundredth (ISO 4217, list one). Intl follows common usage instead, and
 * has no cents for COP or IDR.
 */
const unusualDecimals: Record<string, number> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('CLF UYW'.split(' ').map((code) => [code, 4])),
}

/** Decimal places of a currency: usually 2; 0 for XOF, 3 for KWD. */
export const currencyDecimals = (currency: string): number => unusualDecimals[currency] ?? 2
