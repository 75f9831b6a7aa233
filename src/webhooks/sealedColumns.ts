import type { SealedColumn } from '../custody/sealedColumn.ts'

export const secretContext = (endpointId: string) => `cowry/webhook-secret/v1/${endpointId}`
export const headersContext = (endpointId: string) => `cowry/webhook-headers/v1/${endpointId}`

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'webhook_endpoints', column: 'sealed_secret', context: secretContext },
  { table: 'webhook_endpoints', column: 'previous_sealed_secret', context: secretContext },
  { table: 'webhook_endpoints', column: 'sealed_headers', context: headersContext },
]
