import type { DashboardQueryOf } from '../../../../client/index.ts'
import { isChain } from '../labels.ts'

/** A search of wallets, as the API takes it. */
export type WalletQuery = Pick<DashboardQueryOf<'listWalletsOfBusiness'>, 'search' | 'chain' | 'archived'>

/** The search in the page's URL; what it cannot be is left out. */
export function readWalletQuery(search: URLSearchParams): WalletQuery {
  const chain = search.get('chain') ?? ''
  return {
    search: search.get('search')?.trim() || undefined,
    chain: isChain(chain) ? chain : undefined,
    archived: search.get('show') === 'archived' ? true : undefined,
  }
}
