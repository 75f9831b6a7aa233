import type { DashboardQueryOf } from '../../../../client/index.ts'
import type { VerificationStatus } from './types.ts'
import { verificationStatusLabels } from './verificationLabels.ts'

/** A search of verifications, as the API takes it. */
export type VerificationQuery = Pick<
  DashboardQueryOf<'listVerificationsOfBusiness'>,
  'status' | 'country' | 'requestId'
>

const isStatus = (text: string): text is VerificationStatus => Object.hasOwn(verificationStatusLabels, text)

/** The search in the page's URL; what it cannot be is left out. */
export function readVerificationQuery(search: URLSearchParams): VerificationQuery {
  const given = (name: string) => search.get(name) ?? ''
  const country = given('country').toUpperCase()
  const status = given('status')
  return {
    status: isStatus(status) ? status : undefined,
    country: /^[A-Z]{2}$/.test(country) ? country : undefined,
    requestId: given('requestId') || undefined,
  }
}
