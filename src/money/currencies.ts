/**
 * The currencies that prices may be in, by their decimal places: list one of ISO 4217 as published on 2024-06-25,
 * as the package currency-codes 2.2.0 has it (with ZWG), and XCG, which came later: its code is in the table of
 * Node (CLDR 48). Codes without a minor unit, such as those of metals, are no currency here. Decimal places are
 * those of ISO 4217: CLDR has fewer for some of them.
 */
const byDecimals: readonly [number, string][] = [
  [
    2,
    `
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
    CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL
    GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD
    LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN
    PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
    TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  ],
  [
    0,
    `
    BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF`,
  ],
  [
    3,
    `
    BHD IQD JOD KWD LYD OMR TND`,
  ],
  [
    4,
    `
    CLF UYW`,
  ],
]

/** Decimal places by code. */
export const currencies: ReadonlyMap<string, number> = new Map(
  byDecimals.flatMap(([decimals, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, decimals] as const),
  ),
)
