import type { SealedColumn } from '../custody/sealedColumn.ts'

export const mailContext = (mailId: string) => `cowry/mail/v1/${mailId}`

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'mails', column: 'sealed', context: mailContext },
]
