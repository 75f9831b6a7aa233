import type { DashboardQueryOf } from '../../../../client/index.ts'
import { isChain } from '../labels.ts'
import { swapStatusLabels } from './swapLabels.ts'
import type { SwapStatus } from './types.ts'

/** A search of swaps, as the API takes it. */
export type SwapQuery = Pick<DashboardQueryOf<'listSwapsOfBusiness'>, 'chain' | 'status'>

const isStatus = (text: string): text is SwapStatus => Object.hasOwn(swapStatusLabels, text)

/** The search in the page's URL; what it cannot be is left out. */
export function readSwapQuery(search: URLSearchParams): SwapQuery {
  const [status, chain] = [search.get('status') ?? '', search.get('chain') ?? '']
  return { status: isStatus(status) ? status : undefined, chain: isChain(chain) ? chain : undefined }
}
