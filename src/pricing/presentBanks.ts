import type { KnownBanks } from './rates.ts'

/** Banks by name, those of a currency or country. @param known null without a payout partner */
export function presentBanks(
  known: KnownBanks | null,
  { currency, countryCode }: { currency?: string; countryCode?: string },
) {
  if (known === null) return { banks: [], asOf: null }
  const found = known.banks.filter(
    (bank) =>
      (!currency || bank.currencies.includes(currency)) && (!countryCode || bank.countryCode === countryCode),
  )
  const banks = found
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ id, name, code }) => ({ id, name, code }))
  return { banks, asOf: known.asOf.toISOString() }
}
