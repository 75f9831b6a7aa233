import type { SealedColumn } from '../custody/sealedColumn.ts'

export const payerContext = (collectionId: string) => `cowry/collection-payer/v1/${collectionId}`

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'fiat_collections', column: 'sealed_payer', context: payerContext },
]
