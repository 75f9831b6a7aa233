import type { DashboardQueryOf } from '../../../../client/index.ts'
import { isChain } from '../labels.ts'
import { bridgeStatusLabels } from './bridgeLabels.ts'
import type { BridgeStatus } from './types.ts'

/** A search of bridge transfers, as the API takes it. */
export type BridgeQuery = Pick<
  DashboardQueryOf<'listBridgeTransfersOfBusiness'>,
  'status' | 'sourceChain' | 'destinationChain'
>

const isStatus = (text: string): text is BridgeStatus => Object.hasOwn(bridgeStatusLabels, text)

/** The search in the page's URL; what it cannot be is left out. */
export function readBridgeQuery(search: URLSearchParams): BridgeQuery {
  const [status, source, destination] = ['status', 'sourceChain', 'destinationChain'].map(
    (name) => search.get(name) ?? '',
  ) as [string, string, string]
  return {
    status: isStatus(status) ? status : undefined,
    sourceChain: isChain(source) ? source : undefined,
    destinationChain: isChain(destination) ? destination : undefined,
  }
}
