import type { DashboardQueryOf } from '../../../../client/index.ts'
import { isChain, isToken } from '../labels.ts'
import { readTimes } from '../periods.ts'
import { readStates } from '../statesIn.ts'
import { payoutStatusLabels } from './payoutLabels.ts'
import type { PayoutStatus } from './types.ts'

/** A search of payouts, as the API takes it. */
export type PayoutQuery = Pick<
  DashboardQueryOf<'listPayoutsOfBusiness'>,
  'status' | 'chain' | 'token' | 'reference' | 'since' | 'until'
>

const isStatus = (text: string): text is PayoutStatus => Object.hasOwn(payoutStatusLabels, text)

/** The search in the page's URL. @param timeZone by which `since` and `until` are there */
export function readPayoutQuery(search: URLSearchParams, timeZone: string): PayoutQuery {
  const textIn = (name: string) => search.get(name)?.trim() ?? ''
  const [chain, token] = [textIn('chain'), textIn('token')]
  return {
    status: readStates(search, isStatus),
    chain: isChain(chain) ? chain : undefined,
    token: isToken(token) ? token : undefined,
    reference: textIn('reference') || undefined,
    ...readTimes(search, timeZone),
  }
}
