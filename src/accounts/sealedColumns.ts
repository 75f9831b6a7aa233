import type { SealedColumn } from '../custody/sealedColumn.ts'

export const totpContext = (accountId: string) => `cowry/totp/v1/${accountId}`
export const signingKeyContext = (kid: string) => `cowry/signing-key/v1/${kid}`

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'accounts', column: 'totp_sealed', context: totpContext },
  { table: 'signing_keys', column: 'sealed', context: signingKeyContext },
]
