import { openText, sealText } from '../../custody/sealText.ts'
import { profileContext } from '../../destinations/sealedColumns.ts'
import { Secret } from '../../platform/secrets.ts'

/**
 * What a partner must know of a business that pays: the data of a `sender` whose `customerType` is
 * `institution` (https://docs.yellowcard.engineering/reference/submit-payment: `businessName` and
 * `businessId`, which is our `registrationNumber`, are required;
 * `country`, `address`, `phone` in E.164 and `email` by channel).
 */
export interface LegalProfile {
  businessName: string
  registrationNumber: string
  /** ISO 3166-1, two letters. */
  country: string
  address: string
  /** E.164. */
  phone: string
  email: string
}

interface ProfileOwner {
  id: string
  businessId: string
}

/** Seals a profile with the application's key, together with its business. */
export const sealProfile = (
  appKey: Secret,
  { id, businessId }: ProfileOwner,
  profile: LegalProfile,
): Buffer => sealText(appKey, profileContext(id), new Secret(JSON.stringify({ businessId, profile })))

/** @throws Error where no key of the application opens it, or it is of another business */
export function openProfile(
  appKey: Secret,
  { id, businessId }: ProfileOwner,
  sealed: Uint8Array,
): LegalProfile {
  const stored = JSON.parse(openText(appKey, profileContext(id), sealed).reveal()) as {
    businessId: string
    profile: LegalProfile
  }
  if (stored.businessId !== businessId)
    throw new Error(`the legal profile ${id} was sealed for another business`)
  return stored.profile
}
