import type { LedgerAsset } from '../books/assets.ts'
import type { Account } from '../ledger/account.ts'
import { type FieldError, invalidBody } from '../platform/errors.ts'

type PlatformAccount = Extract<Account, { businessId: null }>

/** Of a business only `available` is adjusted: it pays `receivable` by itself, and the others belong to something that will end. */
const ofBusiness = 'available'
/** Without `suspense`, whose payments are given, or booked as the operator's, one by one. */
const ofPlatform = ['fees', 'fx_margin', 'rewards', 'penalties', 'rounding', 'exchange', 'capital', 'network_costs'] as const
const ofChain = ['deposits', 'treasury', 'staking'] as const
const ofDollars = /^partner:([a-z]{1,40})$/

/** Accounts of an adjustment by name. */
export interface AdjustedNames {
  businessId: string | null
  debit: string
  credit: string
}

/** An account of an adjustment; in dollars only the platform has any. @returns null for one that is not adjusted by hand in this asset */
export function adjustedAccount(name: string, businessId: string | null, { asset, chain }: Pick<LedgerAsset, 'asset' | 'chain'>): Account | null {
  if (name === ofBusiness) return businessId === null || chain === null ? null : { name, businessId, asset }
  const plain = ofPlatform.find((each) => each === name)
  if (plain) return { name: plain, businessId: null, asset }
  const [, partner] = chain === null ? (ofDollars.exec(name) ?? []) : []
  if (partner !== undefined) return { name: `partner:${partner}`, businessId: null, asset }
  const place = ofChain.find((each) => chain !== null && name === `${each}:${chain}`)
  return place ? ({ name: `${place}:${chain}`, businessId: null, asset } satisfies PlatformAccount) : null
}

/** @throws ApiError 400 naming each wrong field */
export function requireAdjusted({ businessId, ...names }: AdjustedNames, asset: LedgerAsset): void {
  const mistakes: FieldError[] = []
  const touchesBusiness = names.debit === ofBusiness || names.credit === ofBusiness
  if (touchesBusiness && businessId === null) mistakes.push({ field: 'businessId', message: `is required with ${ofBusiness}` })
  if (!touchesBusiness && businessId !== null) mistakes.push({ field: 'businessId', message: `is only for ${ofBusiness}` })
  if (names.debit === names.credit) mistakes.push({ field: 'credit', message: 'is the same account as debit' })
  for (const field of ['debit', 'credit'] as const) {
    const name = names[field]
    if (name !== ofBusiness && !adjustedAccount(name, businessId, asset))
      mistakes.push({ field, message: `${name} is not an account of ${asset.asset}` })
  }
  if (mistakes.length > 0) throw invalidBody(...mistakes)
}
