/** Currencies that the browser knows, as choices, with the given one even if it does not. */
export function currencyChoices(present: string | null): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' })
  const codes = new Set(Intl.supportedValuesOf('currency'))
  if (present) codes.add(present)
  return [{ value: '', label: 'None' }, ...[...codes].sort().map((code) => ({ value: code, label: `${code} · ${names.of(code) ?? code}` }))]
}
