import type { DashboardQueryOf } from '../../../../client/index.ts'
import { isChain } from '../labels.ts'
import { readPeriod } from '../periods.ts'
import { readStates } from '../statesIn.ts'
import { transferStatusLabels, transferTokenLabels } from './transferLabels.ts'
import type { TransferStatus, TransferToken } from './types.ts'

/** A search of transfers, as the API takes it. */
export type TransferQuery = Pick<
  DashboardQueryOf<'listTransfersOfBusiness'>,
  'search' | 'chain' | 'token' | 'walletId' | 'since' | 'until'
> & { status: TransferStatus[] | undefined }

const isStatus = (text: string): text is TransferStatus => Object.hasOwn(transferStatusLabels, text)
const isToken = (text: string): text is TransferToken => Object.hasOwn(transferTokenLabels, text)
const isId = (text: string): text is string => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/**
 * The search in the page's URL; what it cannot be is left out.
 * @param timeZone of the business, by which its times and a `period` are
 */
export function readTransferQuery(search: URLSearchParams, now: Date, timeZone: string): TransferQuery {
  const oneOf = <T extends string>(name: string, is: (text: string) => text is T): T | undefined => {
    const text = search.get(name)?.trim()
    return text !== undefined && is(text) ? text : undefined
  }
  return {
    search: search.get('search')?.trim() || undefined,
    status: readStates(search, isStatus),
    chain: oneOf('chain', isChain),
    token: oneOf('token', isToken),
    walletId: oneOf('wallet', isId),
    ...readPeriod(search, now, timeZone),
  }
}
