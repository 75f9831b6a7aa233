/** The time zone of each currency that is used in one zone alone, or nearly. */
const zones: Readonly<Record<string, string>> = {
  BWP: 'Africa/Gaborone',
  EGP: 'Africa/Cairo',
  ETB: 'Africa/Addis_Ababa',
  GHS: 'Africa/Accra',
  INR: 'Asia/Kolkata',
  KES: 'Africa/Nairobi',
  MAD: 'Africa/Casablanca',
  MWK: 'Africa/Blantyre',
  NGN: 'Africa/Lagos',
  PHP: 'Asia/Manila',
  RWF: 'Africa/Kigali',
  TZS: 'Africa/Dar_es_Salaam',
  UGX: 'Africa/Kampala',
  XAF: 'Africa/Douala',
  XOF: 'Africa/Abidjan',
  ZAR: 'Africa/Johannesburg',
  ZMW: 'Africa/Lusaka',
}

const readersZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone of a business: that of its currency, else the reader's. */
export const zoneOf = ({ localCurrency }: { localCurrency: string | null }): string =>
  (localCurrency === null ? undefined : zones[localCurrency]) ?? readersZone

/** Zones to choose from: the business's, the reader's, UTC, and the one that is chosen. */
export const zoneChoices = (business: { localCurrency: string | null }, chosen: string): string[] => [
  ...new Set([zoneOf(business), readersZone, 'UTC', chosen]),
]

export function isZone(text: string): boolean {
  try {
    return /^[A-Za-z]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}

/** The month that it is now in a zone, as `2026-11`. */
export function monthIn(timeZone: string, at: Date): string {
  const parts = new Map(
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.get('year')}-${parts.get('month')}`
}
