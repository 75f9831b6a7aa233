const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
/** Codes of groups, of tests and of nothing that the browser's and Node's lists of regions have, too. */
const noCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

export const notCountry = 'is not a country of ISO 3166-1'

/** @param code two capital letters */
export const isCountry = (code: string): boolean => !noCountries.has(code) && regions.of(code) !== undefined
