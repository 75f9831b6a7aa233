import type { SealedColumn } from '../custody/sealedColumn.ts'

export const accountContext = (destinationId: string) => `cowry/payout-account/v1/${destinationId}`
export const profileContext = (profileId: string) => `cowry/legal-profile/v1/${profileId}`

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'payout_destinations', column: 'sealed_account', context: accountContext },
  { table: 'legal_profiles', column: 'sealed', context: profileContext },
]
