import type { DashboardQueryOf } from '../../../../client/index.ts'
import { fromLocalInput } from '../../ui/localTime.ts'
import { isChain, isToken } from '../labels.ts'
import { isPeriod, periodTimes } from './period.ts'
import { exceptionLabels, statusLabels } from './sessionLabels.ts'
import type { SessionException, SessionStatus } from './types.ts'

/** A search of sessions, as the API takes it. */
export type SessionQuery = Pick<
  DashboardQueryOf<'listSessionsOfBusiness'>,
  'search' | 'chain' | 'token' | 'since' | 'until'
> & { status: SessionStatus | undefined; exception: SessionException | undefined }

const isStatus = (text: string): text is SessionStatus => Object.hasOwn(statusLabels, text)
const isException = (text: string): text is SessionException => Object.hasOwn(exceptionLabels, text)

/**
 * The search in the page's URL; `since` and `until` are local times there, as their inputs show them.
 * @param timeZone of the business, by which a `period` is
 */
export function readSessionQuery(search: URLSearchParams, now: Date, timeZone: string): SessionQuery {
  const textIn = (name: string) => search.get(name)?.trim() || undefined
  const oneOf = <T extends string>(name: string, is: (text: string) => text is T): T | undefined => {
    const text = textIn(name)
    return text !== undefined && is(text) ? text : undefined
  }
  const period = oneOf('period', isPeriod)
  return {
    search: textIn('search'),
    status: oneOf('status', isStatus),
    exception: oneOf('exception', isException),
    chain: oneOf('chain', isChain),
    token: oneOf('token', isToken),
    since: fromLocalInput(search.get('since') ?? ''),
    until: fromLocalInput(search.get('until') ?? ''),
    ...(period && { until: undefined, ...periodTimes(period, now, timeZone) }),
  }
}
