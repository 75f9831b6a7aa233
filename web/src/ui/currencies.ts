/** The browser's currencies as choices, with the given one even if the browser does not know it. */
export function currencyChoices(present: string | null): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' })
  const codes = new Set(Intl.supportedValuesOf('currency'))
  if (present) codes.add(present)
  return [
    { value: '', label: 'None' },
    ...[...codes].sort().map((code) => ({ value: code, label: `${code} · ${names.of(code) ?? code}` })),
  ]
}
