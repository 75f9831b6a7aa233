import { type Loadable, useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import type { Delivery } from '../webhooks/types.ts'
import type { Transfer } from './types.ts'

const maxDeliveries = 50

export interface LoadedTransfer {
  transfer: Transfer
  /** The newest first; they are of its transaction, so none are shown while it has none. */
  deliveries: Delivery[]
  /** The URL of each endpoint, by its id. */
  urls: ReadonlyMap<string, string>
}

/** All that the page of a transfer shows. */
export function useTransfer(transferId: string): Loadable<LoadedTransfer> {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id }
  return useLoaded<LoadedTransfer>(`${business.id} ${transferId}`, async (signal) => {
    const transfer = await api.call('getTransferOfBusiness', { path: { ...path, id: transferId }, signal })
    const { toAddress: address, createdAt: since, txHash } = transfer
    if (txHash === null) return { transfer, deliveries: [], urls: new Map() }
    const query = { type: 'transfer.*', address, since, limit: maxDeliveries }
    const [{ webhooks }, { endpoints }] = await Promise.all([
      api.call('listWebhooksOfBusiness', { path, query, signal }),
      api.call('listWebhookEndpointsOfBusiness', { path, signal }),
    ])
    return {
      transfer,
      deliveries: webhooks.filter(({ txId }) => txId === txHash),
      urls: new Map(endpoints.map(({ id, url }) => [id, url])),
    }
  })
}
