import { readProfile } from '../outflows/bank/legalProfile.ts'
import type { PersonRecipient } from '../partnerPayments/collectionPartner.ts'
import { isCountry, notCountry } from '../platform/countries.ts'
import type { Queryable } from '../platform/database/db.ts'
import { ApiError, type FieldMistake, invalidBody } from '../platform/errors.ts'
import type { FieldCode } from '../platform/fieldCodes.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Payer } from './sealedPayer.ts'

/** The fields of a request that describe the payer. */
export interface PayerRequest {
  recipient?: Omit<PersonRecipient, 'kind'>
  source: Payer['source']
  redirectUrl?: string
}

/**
 * Checks the payer, without a request to the partner.
 * @throws ApiError 400 that names each wrong field, without its value
 */
export function checkPayer({ recipient, source }: PayerRequest): void {
  const wrong: FieldMistake[] = []
  const isWrong = (field: string, message: string, code: FieldCode) => wrong.push({ field, message, code })
  if (recipient) {
    const { country, dob, additionalIdType, additionalIdNumber } = recipient
    if (!isCountry(country)) isWrong('recipient.country', notCountry, 'invalid_country')
    if (dateOf(dob) === null) isWrong('recipient.dob', 'is not a day of the past', 'invalid_date')
    // The partner wants a second document of people in Nigeria (reference/submit-collection-request).
    const needsSecond = country === 'NG' || additionalIdType !== undefined || additionalIdNumber !== undefined
    const why = country === 'NG' ? 'is required in Nigeria' : 'is required with the other one'
    if (needsSecond && additionalIdType === undefined) isWrong('recipient.additionalIdType', why, 'required')
    if (needsSecond && additionalIdNumber === undefined)
      isWrong('recipient.additionalIdNumber', why, 'required')
  }
  if (source.accountType === 'momo')
    for (const field of ['networkId', 'accountNumber'] as const)
      if (source[field] === undefined) isWrong(`source.${field}`, 'is required for momo', 'required')
  if (wrong.length > 0) throw invalidBody(...wrong)
}

/**
 * The payer as the partner gets them; without a recipient it is the business itself.
 * @throws ApiError 422 `legal_profile_missing`
 */
export async function readPayer(
  ctx: { db: Queryable; appKey: Secret },
  businessId: string,
  { recipient, source, redirectUrl }: PayerRequest,
): Promise<Payer> {
  const rest = { source, ...(redirectUrl !== undefined && { redirectUrl }) }
  if (recipient)
    return { recipient: { ...recipient, kind: 'person', dob: dateOf(recipient.dob) ?? '' }, ...rest }
  const profile = (await readProfile(ctx, ctx.db, businessId))?.profile
  if (!profile) {
    const message =
      'A collection without a recipient needs the legal profile of the business: an owner writes it in the dashboard (Settings, Payouts)'
    throw new ApiError(422, 'legal_profile_missing', message)
  }
  const { businessName, registrationNumber, email } = profile
  return { recipient: { kind: 'business', businessId: registrationNumber, businessName, email }, ...rest }
}

/**
 * A day as the partner writes it, `mm/dd/yyyy`. @returns null for a day that does not exist, or has not come
 * yet
 */
function dateOf(text: string): string | null {
  const at = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text || at.getTime() > Date.now())
    return null
  const [year, month, day] = text.split('-')
  return `${month}/${day}/${year}`
}
