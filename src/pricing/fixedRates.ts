import { parseDecimal } from '../money/amount.ts'
import { currencies } from '../money/currencies.ts'

/** A rate that the operator has set. */
export interface FixedRate {
  currency: string
  /** Units of the currency for one US dollar. */
  rate: string
  /** The day it is of, in UTC: `2026-11-28`. */
  day: string
}

/** The source of a fixed rate, as callers see it. */
export const fixedSource = 'fixed'

const dayMs = 86_400_000
/** The database's columns of rates keep as many. */
const maxDecimals = 12

/**
 * `NGN=1650.25@2026-11-28,KES=129.4@2026-11-28`: units of a currency for one US dollar, and the day of the rate.
 * @returns the rates, and each mistake in words that follow the setting's name
 */
export function parseFixedRates(text: string, now: Date): { rates: FixedRate[]; mistakes: string[] } {
  const entries = text.split(',').filter((each) => each.trim() !== '')
  const read = entries.map((each, index) => readEntry(each.trim(), index + 1, now))
  const rates = read.flatMap((each) => (typeof each === 'string' ? [] : [each]))
  const codes = rates.map(({ currency }) => currency)
  const twice = [...new Set(codes.filter((code, at) => codes.indexOf(code) !== at))]
  return {
    rates,
    mistakes: [
      ...read.filter((each) => typeof each === 'string'),
      ...twice.map((code) => `has ${code} twice`),
    ],
  }
}

/** A value may be a secret in the wrong place: no more of it is told than three capital letters. */
function readEntry(entry: string, place: number, now: Date): FixedRate | string {
  const [, currency = '', rate = '', day = ''] = /^([^=@]*)=([^=@]*)@([^=@]*)$/.exec(entry) ?? []
  const named = `has an entry ${place}${/^[A-Z]{3}$/.test(currency) ? ` (${currency})` : ''}`
  if (currency === '') return `${named}, which is not like NGN=1650.25@2026-11-28`
  if (!currencies.has(currency)) return `${named}, whose currency is not one of ISO 4217`
  if (currency === 'USD') return `${named}: a US dollar is one token`
  const decimal = parseDecimal(rate)
  if (!decimal || decimal.value === 0n) return `${named}, whose rate is not a decimal above 0`
  if (decimal.scale > maxDecimals || rate.length > 27)
    return `${named}, whose rate has more than ${maxDecimals} decimal places or 14 before them`
  const at = startOf(day)
  if (at === null) return `${named}, whose day is not like 2026-11-28`
  return at > now.getTime() + dayMs ? `${named}, whose day is still to come` : { currency, rate, day }
}

/** The beginning of a day that there is. */
function startOf(day: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? null : at
}

/** When a fixed rate was observed: at the start of its day, never in the future. */
export const fixedAt = ({ day }: FixedRate, now: number): Date => new Date(Math.min(startOf(day) ?? 0, now))

/** Whether its day is more than so many days before today, by UTC. */
export const isOverAged = ({ day }: FixedRate, maxAgeDays: number, now: number): boolean =>
  Math.floor(now / dayMs) - Math.floor((startOf(day) ?? 0) / dayMs) > maxAgeDays
