import type { SealedColumn } from './sealedColumn.ts'

export const requestKeyContext = (id: string) => `cowry/request-key/v1/${id}`

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'request_keys', column: 'sealed', context: requestKeyContext },
]
