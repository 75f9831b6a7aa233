import type { DashboardQueryOf } from '../../../../client/index.ts'
import { fromLocalInput } from '../../ui/localTime.ts'
import { isChain, isToken } from '../labels.ts'
import { payoutStatusLabels } from './payoutLabels.ts'
import type { PayoutStatus } from './types.ts'

/** A search of payouts, as the API takes it. */
export type PayoutQuery = Pick<
  DashboardQueryOf<'listPayoutsOfBusiness'>,
  'status' | 'chain' | 'token' | 'reference' | 'since' | 'until'
>

const isStatus = (text: string): text is PayoutStatus => Object.hasOwn(payoutStatusLabels, text)

/** The search in the page's URL; `since` and `until` are local times there, as their inputs show them. */
export function readPayoutQuery(search: URLSearchParams): PayoutQuery {
  const textIn = (name: string) => search.get(name)?.trim() ?? ''
  const [status, chain, token] = [textIn('status'), textIn('chain'), textIn('token')]
  return {
    status: isStatus(status) ? status : undefined,
    chain: isChain(chain) ? chain : undefined,
    token: isToken(token) ? token : undefined,
    reference: textIn('reference') || undefined,
    since: fromLocalInput(textIn('since')),
    until: fromLocalInput(textIn('until')),
  }
}
