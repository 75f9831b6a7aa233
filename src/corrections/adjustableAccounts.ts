import type { Account } from '../ledger/account.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import type { LedgerAsset } from '../statements/assets.ts'

type PlatformAccount = Extract<Account, { businessId: null }>

/**
 * Of a business only `available` is adjusted, which pays `receivable` by itself, and in dollars its prepaid
 * `credit`. The others belong to something that will end.
 */
const ofBusiness = ['available', 'credit']
/** Without `suspense`, whose payments are given, or booked as the operator's, one by one. */
const ofPlatform = [
  'fees',
  'fx_margin',
  'rewards',
  'penalties',
  'rounding',
  'exchange',
  'capital',
  'network_costs',
] as const
const ofChain = ['deposits', 'treasury', 'staking'] as const
const ofDollars = /^partner:([a-z]{1,40})$/

/** Accounts of an adjustment by name. */
export interface AdjustedNames {
  businessId: string | null
  debit: string
  credit: string
}

/** An account of an adjustment. @returns null for one that is not adjusted by hand in this asset */
export function adjustedAccount(
  name: string,
  businessId: string | null,
  { asset, chain }: Pick<LedgerAsset, 'asset' | 'chain'>,
): Account | null {
  if (name === 'available') return businessId === null || chain === null ? null : { name, businessId, asset }
  if (name === 'credit') return businessId === null || chain !== null ? null : { name, businessId, asset }
  const plain = ofPlatform.find((each) => each === name)
  if (plain) return { name: plain, businessId: null, asset }
  const [, partner] = chain === null ? (ofDollars.exec(name) ?? []) : []
  if (partner !== undefined) return { name: `partner:${partner}`, businessId: null, asset }
  const place = ofChain.find((each) => chain !== null && name === `${each}:${chain}`)
  return place ? ({ name: `${place}:${chain}`, businessId: null, asset } satisfies PlatformAccount) : null
}

/** @throws ApiError 400 naming each wrong field */
export function requireAdjusted({ businessId, ...names }: AdjustedNames, asset: LedgerAsset): void {
  const mistakes: FieldMistake[] = []
  const touchesBusiness = ofBusiness.includes(names.debit) || ofBusiness.includes(names.credit)
  if (touchesBusiness && businessId === null)
    mistakes.push({
      field: 'businessId',
      message: `is required with ${ofBusiness.join(' and ')}`,
      code: 'required',
    })
  if (!touchesBusiness && businessId !== null)
    mistakes.push({
      field: 'businessId',
      message: `is only for ${ofBusiness.join(' and ')}`,
      code: 'not_possible',
    })
  if (names.debit === names.credit)
    mistakes.push({ field: 'credit', message: 'is the same account as debit', code: 'not_possible' })
  for (const field of ['debit', 'credit'] as const) {
    const name = names[field]
    // Without a business, that is the mistake.
    const isNamed = ofBusiness.includes(name) && businessId === null
    if (!isNamed && !adjustedAccount(name, businessId, asset))
      mistakes.push({ field, message: `${name} is not an account of ${asset.asset}`, code: 'unknown_value' })
  }
  if (mistakes.length > 0) throw invalidBody(...mistakes)
}
